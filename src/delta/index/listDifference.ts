import type { ObjectEvent } from '../../api/events.js';
import type { Store } from '../../cache/store/store.js';
import { isRecreated, isSameVersion } from '../../api/kubernetesObject.js';
import { failed, type IdentityMemory, missedDeletion } from './cacheWriter.js';
import type { HalfList } from './intake.js';

/** The effect of a completed list. */
interface ListDifference<U> {
  /** The number of objects in its scope after the list. */
  readonly size: number;
  /** The values kept instead of those of the list: the version was cached already, or could not be transformed. */
  readonly kept: ReadonlyMap<string, U>;
  readonly vanished: ReadonlySet<string>;
  /** Deletions first, then the rest in the order of the list. */
  readonly events: ObjectEvent<U>[];
}

interface ListComparison<U> {
  readonly store: Store<U>;
  readonly half: HalfList<U>;
  /** The keys that are gone, given how many of the list's keys the store has. */
  readonly vanished: (matches: number) => Iterable<string>;
  readonly identities: IdentityMemory;
  /** Whether to compare contents of equal versions, because the list may be older than the store. */
  readonly compared: boolean;
  /** Whether subscribers have not received the stored value yet. */
  readonly isUntold: (key: string) => boolean;
  /** The flags of `added` events. */
  readonly found: { readonly initial: boolean; readonly inferred: boolean };
}

/** Compares a completed list with the store, without changing it. */
// mutation condition: equivalent: an object whose transform failed has no identity, and cannot count as re-created
export function listDifference<U>({
  store,
  half,
  vanished: vanishedOf,
  identities,
  compared,
  isUntold,
  found: { initial, inferred },
}: ListComparison<U>): ListDifference<U> {
  let size = half.values.size;
  const kept = new Map<string, U>();
  const deleted: ObjectEvent<U>[] = [];
  const recreated: ObjectEvent<U>[] = [];
  const upserted: ObjectEvent<U>[] = [];
  let matches = 0;

  for (const [key, listed] of half.values) {
    const before = store.getByKey(key);
    if (before === undefined) {
      if (listed === failed) size -= 1;
      else upserted.push({ type: 'added', key, object: listed, initial, inferred });
      continue;
    }
    matches += 1;
    const known = identities.recall(key, before);
    const identity = listed === failed ? known : half.identities.recall(key, listed);
    const isTheSame = listed === failed || (!compared && isSameVersion(known, identity));
    const object = isTheSame ? before : listed;
    if (object !== listed) kept.set(key, object);
    if (isRecreated(known, identity)) {
      recreated.push(missedDeletion(key, before));
      upserted.push({ type: 'added', key, object, initial, inferred });
    } else if (object !== before || isUntold(key)) {
      upserted.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred: true });
    }
  }
  const vanished = new Set(vanishedOf(matches));
  for (const key of vanished) {
    const object = store.getByKey(key);
    if (object !== undefined) deleted.push(missedDeletion(key, object));
  }
  const isWithoutDeletes = deleted.length + recreated.length === 0;
  // mutation condition: equivalent but for time
  return { size, kept, vanished, events: isWithoutDeletes ? upserted : deleted.concat(recreated, upserted) };
}
