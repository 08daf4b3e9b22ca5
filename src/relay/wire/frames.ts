import type { Edit } from './difference.js';
import type { Table } from './shape.js';

/** The name of the header that every request of a page carries: no page of another origin can send it unasked. */
export const relayHeader = 'x-rx-informer-relay';

/** The version of this protocol. */
export const protocolVersion = 1;

/** What of its objects a page asks for: `metadata`, `all`, or paths such as `status.phase`. */
export type RelayFields = 'metadata' | 'all' | readonly string[];

/** The first objects of an order. */
export interface RelayWindow {
  /** The path of the field to order by, for example `metadata.creationTimestamp`. Objects without it come last. */
  readonly orderBy: string;
  /** Whether the highest value comes first. Default `false`. */
  readonly descending?: boolean | undefined;
  /** How many objects at most. */
  readonly limit: number;
}

/** What one page follows: a kind or a view by its name at the relay. */
export interface Scope {
  readonly kind?: string | undefined;
  readonly view?: string | undefined;
  /** One namespace; all that its user may read when absent. */
  readonly namespace?: string | undefined;
  /** One object of a kind: its name, beside the namespace that it is in. */
  readonly name?: string | undefined;
  readonly fields?: RelayFields | undefined;
  readonly window?: RelayWindow | undefined;
}

/** A text that is the same for the same scope, and for no other. */
export function scopeId({ kind, view, namespace = '', name = '', fields = 'metadata', window }: Scope): string {
  const ordered = window && [window.orderBy, window.descending === true, window.limit];
  const projection = typeof fields === 'string' ? fields : [...new Set(fields)].sort();
  return JSON.stringify([kind === undefined ? 'view' : 'kind', kind ?? view, namespace, name, projection, ordered ?? null]);
}

/** Where a page stands in a scope: what it tells the relay when it comes back, to whichever replica. */
export interface ResumeToken {
  /** The log that it read, and how far: they count at the same replica. */
  readonly log: string;
  readonly at: number;
  /** The resourceVersion of the last change; `''` where the scope has none. */
  readonly version: string;
  /** The hash of scope, projection and rights, as the relay said it. */
  readonly rights: string;
  /** How many objects the page has, and their checksum. */
  readonly count: number;
  readonly sum: number;
}

/** One scope of a request, and where the page stands in it. */
export interface ScopeRequest extends Scope {
  readonly token?: ResumeToken | undefined;
  /** What the page had was not what the relay had: it comes anew, and is counted. */
  readonly drifted?: boolean | undefined;
}

/** The body of a page's request. */
export interface RelayRequestBody {
  readonly version: number;
  /** Whether the answer is to end as soon as it has brought something. */
  readonly poll?: boolean;
  readonly scopes: readonly ScopeRequest[];
}

/** What a user may see of a scope: everything, some of it, nothing; or it is being asked. */
export type ScopeRights = 'allowed' | 'partial' | 'forbidden' | 'checking';

/**
 * What a relay sends, one JSON text per frame. `c` names a scope by what `open` called it.
 *
 * ```text
 * open ( reset? rows* commit | drop | rights | health | beat )* bye?
 * ```
 *
 * - `reset`: everything comes anew; what has not come until the next commit is gone.
 * - rows of one group: whole objects, tables of those that have one shape, patches that name the hash of their base, and keys that are gone.
 * - a commit ends a step: what came since the last one is one moment of the cache.
 * - `drop`: the user may not see these groups any more. It counts at once, and not with the next commit.
 * - `beat`: where the scope stands, with count and checksum.
 */
export type Frame =
  | { readonly open: readonly string[] }
  | { readonly c: string; readonly reset: true }
  | {
      readonly c: string;
      readonly g: string;
      readonly set?: readonly (readonly [key: string, value: unknown])[];
      /** The same for many objects of one shape. */
      readonly like?: readonly Table[];
      readonly patch?: readonly (readonly [key: string, base: number, edits: readonly Edit[]])[];
      readonly del?: readonly string[];
    }
  | { readonly c: string; readonly at: number; readonly log: string; readonly version: string }
  | { readonly c: string; readonly drop: readonly string[] }
  | { readonly c: string; readonly rights: ScopeRights; readonly id: string }
  | { readonly c: string; readonly health: string; readonly code?: string | undefined }
  | { readonly beat: Readonly<Record<string, readonly [at: number, count: number, sum: number]>> }
  | { readonly bye: 'expired' | 'poll' | 'stopped' };

/** A frame in the text format of EventSource. */
export function frameText(frame: Frame): string {
  return `data: ${JSON.stringify(frame)}\n\n`;
}

/** Cuts the frames out of a text that comes in pieces. */
export function frameReader(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.filter((part) => part.startsWith('data: ')).map((part) => JSON.parse(part.slice(6)) as Frame);
  };
}
