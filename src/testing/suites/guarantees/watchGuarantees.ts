import { metaNamespaceKey } from '../../../api/kubernetesObject.js';
import { type Guarantee, nameOf, sameContent } from './guarantee.js';
import { versionOf } from './watchHistory.js';

const filter: Guarantee = function* ({ events, selects }) {
  for (const event of events) if (!selects(event.object)) yield `${nameOf(event)} is about an object that was not asked for`;
};

const ordered: Guarantee = function* ({ events }) {
  let highest = -1;
  for (const event of events) {
    if (event.version < highest) yield `${nameOf(event)} came after version ${String(highest)}`;
    highest = Math.max(highest, event.version);
  }
};

const unique: Guarantee = function* ({ events }) {
  const seen = new Set<string>();
  for (const event of events) {
    const id = `${event.key}@${String(event.version)}`;
    if (seen.has(id)) yield `${nameOf(event)} came twice`;
    seen.add(id);
  }
};

const atomic: Guarantee = function* ({ from, state, stateExpected }) {
  if (state === undefined) return;
  const at = `the state at ${String(from)}`;
  const reported = new Map(state.map((object) => [metaNamespaceKey(object), object]));
  for (const [key, object] of stateExpected) {
    const got = reported.get(key);
    if (got === undefined) yield `${at} lacks ${key}`;
    else if (versionOf(got) !== versionOf(object) || !sameContent(got, object)) {
      yield `${at} has ${key} as of ${String(versionOf(got))} and not as of ${String(versionOf(object))}`;
    }
  }
  for (const [key, object] of reported)
    if (!stateExpected.has(key)) yield `${at} has ${key} as of ${String(versionOf(object))}, which did not belong to it`;
};

const bookmarkable: Guarantee = function* ({ events, bookmarks, from }) {
  for (const { version, reached } of bookmarks) {
    if (version < Math.max(reached, from)) yield `a bookmark fell to ${String(version)} after ${String(Math.max(reached, from))}`;
  }
  for (const event of events)
    if (event.version <= event.bookmarked) yield `${nameOf(event)} came after the bookmark at ${String(event.bookmarked)}`;
};

const resumable: Guarantee = function* ({ events, expected, from }) {
  const [first] = events;
  const [next] = expected;
  if (first === undefined) return;
  if (first.version <= from) yield `${nameOf(first)} came first, although the watch continues from ${String(from)}`;
  else if (next !== undefined && first.version > next.version)
    yield `${nameOf(first)} came first after ${String(from)}, and not ${nameOf(next)}`;
};

const reliable: Guarantee = function* ({ events, bookmarks, expected, from }) {
  const seen = new Set(events.map(({ expected: found }) => found));
  for (const event of events) if (event.expected === undefined && event.version > from) yield `${nameOf(event)} is not in the history`;
  const first = events.find(({ version }) => version > from)?.version ?? -1;
  const reached = Math.max(...events.map(({ version }) => version), ...bookmarks.map(({ version }) => version), -1);
  for (const event of expected) {
    if (event.version >= first && event.version <= reached && !seen.has(event)) yield `${nameOf(event)} was left out`;
  }
};

const isCreate: Guarantee = function* ({ events }) {
  for (const event of events) {
    const { type, expected } = event;
    if (expected !== undefined && type !== expected.type) yield `${nameOf(event)} should be ${expected.type}`;
  }
};

const prevKV: Guarantee = function* ({ events }) {
  for (const event of events) {
    const { expected, previous } = event;
    if (expected === undefined) continue;
    if (!sameContent(event.object, expected.object)) yield `${nameOf(event)} has an object that the history does not have at that version`;
    if (previous === undefined) continue;
    if (versionOf(previous) !== versionOf(expected.previous) || !sameContent(previous, expected.previous)) {
      yield `${nameOf(event)} names version ${String(versionOf(previous))} as the one before, and not ${String(versionOf(expected.previous))}`;
    }
  }
};

/** The name of a guarantee. */
export type WatchGuarantee = 'Filter' | 'Ordered' | 'Unique' | 'Atomic' | 'Bookmarkable' | 'Resumable' | 'Reliable' | 'IsCreate' | 'PrevKV';

/**
 * The guarantees of a watch of a Kubernetes API server, named as in etcd's robustness tests.
 *
 * - `Filter`: every event is about a selected object.
 * - `Ordered`: versions never decrease.
 * - `Unique`: no event occurs twice.
 * - `Atomic`: a list, or the initial events of a watch, is the whole state at its version.
 * - `Bookmarkable`: bookmarks never decrease, and no later event has a version at or below one.
 * - `Resumable`: the first event is the next one after the requested version.
 * - `Reliable`: between the first event and the last event or bookmark, none is missing and none is invented.
 * - `IsCreate`: ADDED for objects that enter the selection, MODIFIED for those in it, DELETED for those that leave it.
 * - `PrevKV`: objects equal those in the history, in a deletion the state before it.
 */
export const watchGuarantees: Readonly<Record<WatchGuarantee, Guarantee>> = {
  Filter: filter,
  Ordered: ordered,
  Unique: unique,
  Atomic: atomic,
  Bookmarkable: bookmarkable,
  Resumable: resumable,
  Reliable: reliable,
  IsCreate: isCreate,
  PrevKV: prevKV,
};
