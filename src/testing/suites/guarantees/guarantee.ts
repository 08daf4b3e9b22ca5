import { isDeepStrictEqual } from 'node:util';
import { type KubernetesObject, metaNamespaceKey } from '../../../api/kubernetesObject.js';
import { type ExpectedEvent, type Selects, versionOf } from './watchHistory.js';
import type { ObservedEvent } from './watchObservation.js';

/** An observed event with the facts for judging it. */
export interface JudgedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly version: number;
  readonly object: KubernetesObject;
  readonly previous: KubernetesObject | undefined;
  /** The highest version of a bookmark before it; -1 before the first. */
  readonly bookmarked: number;
  /** The event of the history for this object at this version. */
  readonly expected: ExpectedEvent | undefined;
}

/** One observation, prepared for all guarantees. */
export interface Judged {
  readonly selects: Selects;
  /** The version that the events continue from. */
  readonly from: number;
  readonly state: readonly KubernetesObject[] | undefined;
  readonly stateExpected: ReadonlyMap<string, KubernetesObject>;
  readonly events: readonly JudgedEvent[];
  /** The versions of the bookmarks, in the order of arrival. */
  readonly bookmarks: readonly { readonly version: number; readonly reached: number }[];
  /** The events of the history after `from`. */
  readonly expected: readonly ExpectedEvent[];
}

/** A guarantee of watches: yields a sentence for each violation. */
export type Guarantee = (judged: Judged) => Iterable<string>;

/** An event in short, for messages. */
export function nameOf({ type, key, version }: Pick<JudgedEvent, 'type' | 'key' | 'version'>): string {
  return `${type} ${key} at ${String(version)}`;
}

/** The compared content of an object: lists omit `kind`, informers drop `managedFields`, and a deletion has a version of its own. */
function contentOf(object: KubernetesObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = (object.metadata ?? {}) as Record<string, unknown>;
  return { ...object, apiVersion: undefined, kind: undefined, metadata };
}

/** Whether two objects have the same content. */
export function sameContent(a: KubernetesObject | undefined, b: KubernetesObject | undefined): boolean {
  return isDeepStrictEqual(contentOf(a), contentOf(b));
}

/** The events about objects, each with the corresponding event of the history, and the bookmarks between them. */
export function judgeEvents(events: readonly ObservedEvent[], expected: readonly ExpectedEvent[]): Pick<Judged, 'events' | 'bookmarks'> {
  const known = new Map(expected.map((event) => [`${event.key}@${String(event.version)}`, event]));
  const judged: JudgedEvent[] = [];
  const bookmarks: { version: number; reached: number }[] = [];
  let bookmarked = -1;
  let reached = -1;
  for (const event of events) {
    if (event.type === 'ERROR') continue;
    const version = versionOf(event.object);
    if (event.type === 'BOOKMARK') {
      bookmarks.push({ version, reached: Math.max(reached, bookmarked) });
      bookmarked = Math.max(bookmarked, version);
      continue;
    }
    const { type, object, previous } = event;
    const key = metaNamespaceKey(object);
    judged.push({ type, key, version, object, previous, bookmarked, expected: known.get(`${key}@${String(version)}`) });
    reached = Math.max(reached, version);
  }
  return { events: judged, bookmarks };
}
