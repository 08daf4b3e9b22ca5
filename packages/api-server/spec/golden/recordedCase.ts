import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { AnyJson } from '../support/httpClient.js';

/** A body that is built from an earlier answer, by a merge patch, by values at paths, or by removing a part of a list. */
export interface MadeBody {
  readonly $base: string;
  readonly $merge?: unknown;
  readonly $set?: Readonly<Record<string, unknown>>;
  readonly $slice?: readonly [path: string, from: number, to: number];
}

/** The request. Texts such as `{{NS}}` or `{{saved.metadata.uid}}` stand for values of the run. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as it is sent. */
  readonly raw?: string;
  /** The token of the user; the administrator's when absent. */
  readonly as?: string;
  /** The name that the answer is kept under. */
  readonly save?: string;
}

/** What a real server answered, as far as it does not depend on the run. */
export interface RecordedAnswer {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  /** Each place in the body with its type, `managedFields` left out. */
  readonly shape: readonly string[];
  /** The events of a watch, and whether the server ended it. */
  readonly short?: readonly string[];
  readonly ended?: boolean;
}

/** One recorded request with its answer. */
export interface RecordedCase extends RecordedRequest {
  readonly id: string;
  readonly area: string;
  readonly answer: RecordedAnswer;
  /** Requests that come first. */
  readonly pre?: readonly RecordedRequest[];
  /** The path and media type of the answer whose ETag is sent. */
  readonly preEtag?: readonly [path: string, accept: string];
  /** The duration of a watch in milliseconds, and the requests that were sent during it. */
  readonly watch?: number;
  readonly during?: readonly RecordedRequest[];
  /** The request is repeated until its answer has this code, or until a list at a path has an item of a type. */
  readonly until?: number;
  readonly untilPath?: readonly [path: string, type: string];
  readonly retry404?: boolean;
  /** The recorded part of the answer, if it is not recorded completely. */
  readonly codeOnly?: boolean;
  readonly headersOnly?: boolean;
  readonly shape?: boolean;
  readonly keys?: string;
  readonly discovery?: string;
}

/** The recorded cases of a file, in order. */
export function recordedCases(file: string): readonly RecordedCase[] {
  const packed = readFileSync(new URL(file, import.meta.url));
  const lines = brotliDecompressSync(packed).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedCase);
}

/** The types of all values by their paths, without `managedFields`. */
export function shapeOf(value: unknown, path = '', found: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(value)) {
    found.add(`${path}[]`);
    for (const item of value) shapeOf(item, `${path}[]`, found);
  } else if (typeof value === 'object' && value !== null) {
    found.add(`${path}{}`);
    for (const [name, inner] of Object.entries(value)) if (name !== 'managedFields') shapeOf(inner, `${path}.${name}`, found);
  } else found.add(`${path}:${value === null ? 'null' : typeof value}`);
  return found;
}

/** A value at a path such as `metadata.uid`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value);
}

function merged(original: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> =
    typeof original === 'object' && original !== null && !Array.isArray(original) ? { ...original } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) Reflect.deleteProperty(result, name);
    else result[name] = merged(result[name], value);
  return result;
}

/** The body that an earlier answer is made into. */
export function madeBody({ $merge, $set = {}, $slice }: MadeBody, base: unknown): unknown {
  const body = merged(structuredClone(base), $merge ?? {});
  const parentOf = (path: string): [Record<string, unknown> | undefined, string] => {
    const names = path.split('.');
    const last = names.pop() ?? '';
    return [(names.length === 0 ? body : at(body, names.join('.'))) as Record<string, unknown> | undefined, last];
  };
  for (const [path, value] of Object.entries($set)) {
    const [parent, name] = parentOf(path);
    if (parent !== undefined) parent[name] = value;
  }
  if ($slice !== undefined) {
    const [path, from, to] = $slice;
    const [parent, name] = parentOf(path);
    const list = parent?.[name];
    if (parent !== undefined && Array.isArray(list)) parent[name] = list.filter((_, index) => index < from || index >= to);
  }
  return body;
}

/** The part of an answer's body that was recorded. */
export function recordedPart({ keys, discovery, shape }: RecordedCase, json: AnyJson, text: (value: string) => string): unknown {
  if (json.kind === 'Status' && (json.status as unknown) === 'Failure') return json;
  if (keys !== undefined) return Object.keys(json[keys] ?? {}).map(text);
  if (discovery !== undefined) {
    const name = discovery === 'pods' ? '' : discovery;
    return (
      (json.items as readonly AnyJson[] | undefined)?.find(({ metadata }) => ((metadata.name as string | undefined) ?? '') === name) ?? json
    );
  }
  return shape === true ? [...shapeOf(json)] : json;
}
