import { badRequest } from '../status/statusErrors.js';

/** The query of a request, parsed like the API server does: the first value of a repeated name counts, and unknown names are ignored. */
export class QueryParameters {
  /** Undefined without parameters, as in most requests. */
  private readonly parameters: URLSearchParams | undefined;

  constructor(query: string) {
    if (query === '') return;
    // Invalid escapes are ignored, as in Go.
    const pairs = query.split('&').filter((pair) => !/%(?![0-9a-f]{2})|;/i.test(pair));
    this.parameters = new URLSearchParams(pairs.join('&'));
  }

  /** Whether there are no parameters. */
  get isEmpty(): boolean {
    return this.parameters === undefined;
  }

  text(name: string): string {
    return this.parameters?.get(name) ?? '';
  }

  all(name: string): readonly string[] {
    return this.parameters?.getAll(name) ?? [];
  }

  /** Whether the name occurs. */
  has(name: string): boolean {
    return this.parameters?.has(name) ?? false;
  }

  /** Absent, `0` and `false` are false; any other value is true, including the empty string. */
  flag(name: string): boolean {
    const value = this.parameters?.get(name);
    return value !== undefined && value !== null && value !== '0' && value.toLowerCase() !== 'false';
  }

  /** An integer; undefined when absent. */
  integer(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.text(name);
    if (!/^[-+]?\d+$/.test(value)) throw badRequest(`${JSON.stringify(value)} is no whole number`);
    const parsed = BigInt(value.replace('+', ''));
    if (parsed !== BigInt.asIntN(64, parsed)) throw badRequest(`${JSON.stringify(value)} is out of range`);
    return Number(parsed);
  }

  toString(): string {
    return this.parameters?.toString() ?? '';
  }
}
