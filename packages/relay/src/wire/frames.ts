import type { Edit } from './difference.js';
import type { Table } from './shape.js';

/** The header that every request of a page has: pages of other origins can set it only with permission by CORS. */
export const relayHeader = 'x-rx-informer-relay';

/** The version of this protocol. */
export const protocolVersion = 1;

/** The fields of objects that a page requests: `metadata`, `all`, or paths such as `status.phase`. */
export type RelayFields = 'metadata' | 'all' | readonly string[];

/** A part of an order: its first objects, or those that can be seen of a long table. */
export interface RelayWindow {
  /** The path of the field to order by, for example `metadata.creationTimestamp`: of lists, by their items in turn. Objects without it come last. */
  readonly orderBy: string;
  /** Whether the highest value comes first. @defaultValue false */
  readonly descending?: boolean | undefined;
  /** How many objects of the order precede it. @defaultValue 0 */
  readonly offset?: number | undefined;
  /** The maximum number of objects. */
  readonly limit: number;
}

/** What a page follows: a kind or a view by its name at the relay. */
export interface Scope {
  readonly kind?: string | undefined;
  readonly view?: string | undefined;
  /** One namespace; of a view, the namespace in the keys of its values. When absent, all that the user may read. */
  readonly namespace?: string | undefined;
  /** A label selector, as text of kubectl's `-l`; all objects when absent. */
  readonly labelSelector?: string | undefined;
  /** The name of one object of a kind, in `namespace`. */
  readonly name?: string | undefined;
  readonly fields?: RelayFields | undefined;
  readonly window?: RelayWindow | undefined;
}

/** A key that is equal for equal scopes only. */
export function scopeId({ kind, view, namespace, labelSelector, name, fields = 'metadata', window }: Scope): string {
  const ordered = window && [window.orderBy, window.descending === true, window.limit, window.offset ?? 0];
  const projection = typeof fields === 'string' ? fields : [...new Set(fields)].sort();
  return JSON.stringify([kind, view, namespace, labelSelector, name, projection, ordered]);
}

/** The position of a page in a scope, which it sends when it reconnects to any replica. */
export interface ResumeToken {
  /** The log being read, and the position in it: valid at the same replica only. */
  readonly log: string;
  readonly at: number;
  /** The resourceVersion of the last change; `''` where the scope has none. */
  readonly version: string;
  /** The hash of scope, projection and permissions, as sent by the relay. */
  readonly rights: string;
  /** The number of objects in the page, and their checksum. */
  readonly count: number;
  readonly sum: number;
}

/** One scope of a request, with the position of the page. */
export interface ScopeRequest extends Scope {
  readonly token?: ResumeToken | undefined;
  /** Whether the content of the page differed from the relay's: it is sent again, and counted. */
  readonly drifted?: boolean | undefined;
}

/** The body of a page's request. */
export interface RelayRequestBody {
  readonly version: number;
  /** Whether the answer should end as soon as it has content. */
  readonly poll?: boolean;
  readonly scopes: readonly ScopeRequest[];
}

/** What a user may see of a scope: everything, some of it, nothing; or it is being checked. */
export type ScopeRights = 'allowed' | 'partial' | 'forbidden' | 'checking';

/**
 * The frames of a relay, one JSON text each. `c` is the name that `open` gave a scope.
 *
 * ```text
 * open ( reset? rows* commit | drop | rights | health | beat )* bye?
 * ```
 *
 * - `reset`: everything is sent again; objects not sent before the next commit are deleted.
 * - rows of one group: whole objects, tables of objects with the same shape, patches with the hash of their base, and deleted keys.
 * - a commit ends a step: all rows since the last one belong to one snapshot of the cache.
 * - `drop`: the user may no longer see these groups. Takes effect at once, not with the next commit.
 * - `total`: how many objects the order of a window has.
 * - `health`: of the relay's own informer; of a scope that is refused, `stopped` with the reason as its code.
 * - `beat`: the position of the scope, with count and checksum.
 */
export type Frame =
  | { readonly open: readonly string[] }
  | { readonly c: string; readonly reset: true }
  | {
      readonly c: string;
      readonly g: string;
      readonly set?: readonly (readonly [key: string, value: unknown])[];
      /** Many objects of one shape as a table. */
      readonly like?: readonly Table[];
      readonly patch?: readonly (readonly [key: string, base: number, edits: readonly Edit[]])[];
      readonly del?: readonly string[];
    }
  | { readonly c: string; readonly at: number; readonly log: string; readonly version: string }
  | { readonly c: string; readonly drop: readonly string[] }
  | { readonly c: string; readonly rights: ScopeRights; readonly id: string }
  | { readonly c: string; readonly total: number }
  | { readonly c: string; readonly health: string; readonly code?: string | undefined }
  | { readonly beat: Readonly<Record<string, readonly [at: number, count: number, sum: number]>> }
  | { readonly bye: 'expired' | 'poll' | 'stopped' };

/** A frame in the text format of EventSource. */
export function frameText(frame: Frame): string {
  return `data: ${JSON.stringify(frame)}\n\n`;
}

/** The longest frame that a page takes, in characters: far more than a slice with one object of the size that a cluster stores. */
const longestFrame = 2 ** 25;

/** Extracts the frames from a text that arrives in pieces. @throws RangeError when a frame has no end, as of a compressed bomb. */
export function frameReader(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    if (rest.length > longestFrame) throw new RangeError(`Expected a frame of at most ${longestFrame} characters`);
    return parts.filter((part) => part.startsWith('data: ')).map((part) => JSON.parse(part.slice(6)) as Frame);
  };
}
