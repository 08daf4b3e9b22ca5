import { readFileSync } from 'node:fs';
import type { ListRequest, WatchRequest } from '../../src/api/listerWatcher.js';

/** An object of the script: `other` is in another namespace, and only raises the version. */
export type Name = 'a' | 'b' | 'other';

/** What happens to the server before the requests of a phase: writes, tokens of first pages, and the rest. */
export type Act = `${'ADDED' | 'MODIFIED' | 'DELETED'} ${Name}` | `token ${string}` | 'restart' | 'compact';

/**
 * A request, and what servers answered to it, by their version. Versions of objects are those of the script: `v3` is the version of its third write,
 * `future` one that will not be reached. A token is named after the list that it continues.
 */
export type Scripted = { readonly answers?: Readonly<Record<string, string>> } & (
  { readonly list: ListRequest; readonly watch?: undefined } | { readonly list?: undefined; readonly watch: WatchRequest }
);

/** Some acts, one after the other, and requests, all at once. */
export interface Phase {
  readonly name: string;
  readonly before: readonly Act[];
  readonly requests: readonly Scripted[];
}

export const scriptPath: URL = new URL('requests.json', import.meta.url);

export function readScript(): readonly Phase[] {
  return (JSON.parse(readFileSync(scriptPath, 'utf8')) as { readonly phases: readonly Phase[] }).phases;
}

/** A request in a line. */
export function requestText({ list, watch }: Scripted): string {
  const parameters = Object.entries(list ?? watch).map(([name, value]) => `${name}=${String(value)}`);
  return [list === undefined ? 'WATCH' : 'LIST', ...parameters].join(' ');
}

/** The versions of the script's writes, as a server counts them. */
export class Versions {
  private readonly written: number[] = [];

  add(version: number): void {
    this.written.push(version);
  }

  /** The server's version for one of the script. */
  numberOf(symbol: string): string {
    if (symbol === 'future') return String((this.written.at(-1) ?? 0) + 100_000);
    const [, at] = /^v(\d+)$/.exec(symbol) ?? [];
    return at === undefined ? symbol : String(this.written[Number(at) - 1]);
  }

  /** The last write of the script up to a version: others write as well to a real server. */
  symbolOf(version: string | undefined): string {
    return `v${this.written.filter((written) => written <= Number(version)).length}`;
  }
}
