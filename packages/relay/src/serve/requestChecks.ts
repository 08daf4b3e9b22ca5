import { isJsonObject } from 'rx-informer/internal';
import { parseLabelSelector } from 'rx-informer/pipeline';
import { untyped, viewPortOf } from '@rx-informer/views/internal';
import { isSecretOrder, refusedField } from '../log/projection.js';
import type { RelaySources } from '../log/relaySources.js';
import {
  protocolVersion,
  type RelayFields,
  relayHeader,
  type RelayRequestBody,
  type ResumeToken,
  type Scope,
  type ScopeRequest,
  type RelayWindow,
} from '../wire/frames.js';
import { partsOfPath } from '../wire/ordering.js';

/** The part of a request that a relay and `authenticate` use. */
export interface RelayRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: {
    /** The value of a header; null if it is missing. */
    readonly get: (name: string) => string | null;
  };
}

/** The answer to a request that is refused. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** A refusal. */
export function refused(status: number, reason: string, message: string, retryAfterSeconds?: number): Refusal {
  return { status, reason, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** The allowed hosts and origins. */
export interface Guard {
  /** The host names of the relay, without ports. */
  readonly hosts: readonly string[];
  /** Other origins whose pages may use it. */
  readonly origins: readonly string[];
}

const longestName = 253;
const longestSelector = 1_000;

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Whether pages of this origin may use the relay: its own, and the listed ones. */
function isOwnOrigin(origin: string, host: string, { origins }: Guard): boolean {
  if (origins.includes(origin)) return true;
  try {
    const url = new URL(origin);
    // An origin has neither a user nor a path.
    return url.origin === origin && url.host === host.toLowerCase();
  } catch {
    return false;
  }
}

/** The headers of every stream: proxies must not cache, transform or buffer it. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  vary: 'origin, accept-encoding, authorization, cookie',
};

/** The CORS headers for listed origins; none for all others. */
export function allowOrigin({ headers }: RelayRequest, { origins }: Guard): Readonly<Record<string, string>> {
  const origin = headers.get('origin');
  if (origin === null || !origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': `content-type, authorization, ${relayHeader}`,
    vary: 'origin',
  };
}

/** Whether a request has an answer without content: before one of another origin, and for the icon that browsers ask every server for. */
export function isEmptyAnswer({ method, url }: RelayRequest): boolean {
  return method === 'OPTIONS' || (method === 'GET' && /^(?:https?:\/\/[^/]+)?\/favicon\.ico$/.test(url));
}

/** Refuses requests that do not come from a page of this relay, before authentication. */
export function refusalOf({ method, headers }: RelayRequest, guard: Guard): Refusal | undefined {
  const host = headers.get('host') ?? '';
  if (!guard.hosts.includes(hostName(host)))
    return refused(421, 'MisdirectedRequest', 'The relay is not reached by this Host: name it in `hosts` of createRelay');
  const origin = headers.get('origin');
  if (origin !== null && !isOwnOrigin(origin, host, guard))
    return refused(403, 'CrossOrigin', 'Pages of this origin may not follow the relay: name it in `origins` of createRelay');
  if (method !== 'POST') return refused(405, 'MethodNotAllowed', 'A relay is asked with POST');
  if (headers.get(relayHeader) === null)
    return refused(403, 'CrossOrigin', `Expected the header ${relayHeader}, which forms and images of other pages cannot send`);
  return undefined;
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= longestName;
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function tokenOf(value: unknown): ResumeToken | undefined {
  if (!isJsonObject(value)) return undefined;
  const { log, at, version, rights, count, sum } = value;
  const isWhole = typeof log === 'string' && typeof version === 'string' && isName(rights) && isCount(at) && isCount(count) && isCount(sum);
  return isWhole ? { log, at, version, rights, count, sum } : undefined;
}

function isFields(value: unknown): boolean {
  if (value === undefined || value === 'metadata' || value === 'all') return true;
  return Array.isArray(value) && value.length <= 100 && value.every((path) => isName(path) && partsOfPath(path).length > 0);
}

function isWindow(value: unknown): value is RelayWindow {
  if (!isJsonObject(value)) return false;
  const { orderBy, descending, limit, offset } = value;
  return (
    isName(orderBy) &&
    (descending === undefined || typeof descending === 'boolean') &&
    (offset === undefined || isCount(offset)) &&
    isCount(limit) &&
    limit > 0
  );
}

const scopeParts = new Set(['kind', 'view', 'namespace', 'labelSelector', 'name', 'fields', 'window', 'token', 'drifted']);

function isSelector(value: unknown): value is string {
  try {
    return typeof value === 'string' && value.length <= longestSelector && parseLabelSelector(value).requirements.length > 0;
  } catch {
    return false;
  }
}

function scopeOf(value: unknown, sources: RelaySources, windowLimit: number): ScopeRequest | string {
  if (!isJsonObject(value)) return 'Expected a scope to be an object';
  // An unknown field, for example of a later release, could restrict the answer: refuse the scope.
  const unknown = Object.keys(value).find((part) => !scopeParts.has(part));
  if (unknown !== undefined) return `Expected a scope without ${JSON.stringify(unknown)}: page and relay are of different releases`;
  const { kind, view, namespace, labelSelector, name, fields, window, token, drifted } = value;
  const sourceName = kind ?? view;
  if (!isName(sourceName) || (kind !== undefined && view !== undefined)) return 'Expected a scope with a `kind` or a `view`';
  const source = Object.hasOwn(sources, sourceName) ? sources[sourceName] : undefined;
  if (source === undefined || 'resource' in source !== (kind !== undefined))
    return `This relay has no ${kind === undefined ? 'view' : 'kind'} ${JSON.stringify(sourceName)}`;
  if (namespace !== undefined && !isName(namespace)) return 'Expected `namespace` to be a name';
  if (name !== undefined && (!isName(name) || (window ?? labelSelector) !== undefined))
    return 'Expected `name` to be a name, without `window` and `labelSelector`';
  if (labelSelector !== undefined && !isSelector(labelSelector)) return 'Expected `labelSelector` to be one';
  if (view !== undefined && name !== undefined) return 'Expected a view without `name`: filter it in the page';
  if (view !== undefined && namespace !== undefined && window !== undefined) return 'Expected the `window` of a view without `namespace`';
  if (name !== undefined && namespace === undefined && 'resource' in source && source.resource.namespaced)
    return 'Expected `namespace` beside `name`';
  if (!isFields(fields)) return "Expected `fields` to be 'metadata', 'all' or at most 100 paths";
  const refusedPath = refusedField(fields as RelayFields | undefined, source.fields);
  if (refusedPath !== undefined)
    return `The field ${JSON.stringify(refusedPath)} of ${JSON.stringify(sourceName)} may not be asked for: those that may are ${[source.fields].flat().join(', ')}`;
  if (window !== undefined && !isWindow(window)) return 'Expected `window` with `orderBy` and `limit`';
  if (
    window !== undefined &&
    isSecretOrder(window.orderBy, source.fields, view !== undefined || viewPortOf(untyped(source.collection)) !== undefined)
  )
    return `Expected \`orderBy\` to be a field of ${JSON.stringify(sourceName)} that may be asked for, got ${JSON.stringify(window.orderBy)}`;
  if (window !== undefined && window.limit > windowLimit) return `Expected \`limit\` of \`window\` to be <= ${windowLimit}`;
  const chosen = { kind, view, namespace, labelSelector, name, fields, window } as Scope;
  return { ...chosen, token: tokenOf(token), drifted: drifted === true };
}

/** The longest body of a request, in bytes. */
export const longestBody = 262_144;

/** Reads the body of a request; undefined when it is too long. */
export async function textOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > longestBody) return undefined;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** A request whose scopes are served, but for some. */
export interface Asked extends RelayRequestBody {
  /** What is wrong with each scope that was asked for; undefined where it is among `scopes`. */
  readonly problems: readonly (string | undefined)[];
}

/** Parses the body of a request; a string result is an error message. One wrong scope does not keep a page from the others. */
export function bodyOf(
  text: string,
  sources: RelaySources,
  { scopesPerStream, windowLimit }: { readonly scopesPerStream: number; readonly windowLimit: number },
): Asked | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `Expected a body of JSON${text === '' ? ', got none: a parser in front of the relay may have read it' : ''}`;
  }
  if (!isJsonObject(body) || body['version'] !== protocolVersion)
    return `Expected a request of version ${protocolVersion}: page and relay are of different releases`;
  const { scopes: given, poll } = body;
  if (!Array.isArray(given) || given.length === 0 || given.length > scopesPerStream) return `Expected 1 to ${scopesPerStream} \`scopes\``;
  const read = given.map((scope) => scopeOf(scope, sources, windowLimit));
  const scopes = read.filter((scope) => typeof scope !== 'string');
  const problems = read.map((scope) => (typeof scope === 'string' ? scope : undefined));
  return scopes.length === 0 ? String(problems[0]) : { version: protocolVersion, poll: poll === true, scopes, problems };
}
