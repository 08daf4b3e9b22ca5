import { resourceVersionOf, uidOf } from '../../api/kubernetesObject.js';
import { deletionsFirst } from '../buffers/pendingEvents.js';
import type { DeletedEvent, ObjectEvent } from '../../api/events.js';

/** The uid and version that identify an object as sent, before any transform. */
export interface Identity {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The identity in an object's metadata; empty strings for missing fields. */
export function objectIdentity(object: unknown): Identity {
  return { uid: uidOf(object) ?? '', resourceVersion: resourceVersionOf(object) ?? '' };
}

/** Whether `after` is another object than `before` under the same name: the uids are known and differ. */
export function isRecreated(before: Identity, after: Identity): boolean {
  return before.uid !== after.uid && before.uid !== '' && after.uid !== '';
}

/** `isRecreated` for two objects as they were sent. */
export function isOtherObject(before: unknown, after: unknown): boolean {
  const [uid, other] = [uidOf(before), uidOf(after)];
  return uid !== other && uid !== undefined && other !== undefined;
}

/** Whether both are the same version of the same object, as far as their metadata says. */
export function isSameVersion(before: Identity, after: Identity): boolean {
  return before.resourceVersion !== '' && before.resourceVersion === after.resourceVersion && before.uid === after.uid;
}

/** Returns the identity, as sent, of values by key. Stores it only where the value's own metadata lacks it. */
export interface IdentityMemory {
  recall(key: string, value: unknown): Identity;
  remember(key: string, value: unknown, identity: Identity): void;
  forget(key: string): void;
}

/** For values that are objects as sent. */
const stated: IdentityMemory = {
  recall: (_, value) => objectIdentity(value),
  remember: () => undefined,
  forget: () => undefined,
};

/** @param transformed - whether values may differ from the objects as sent. */
export function createIdentityMemory(transformed: boolean): IdentityMemory {
  if (!transformed) return stated;
  const differing = new Map<string, Identity>();
  return {
    recall: (key, value) => differing.get(key) ?? objectIdentity(value),
    remember: (key, value, identity) => {
      const own = objectIdentity(value);
      if (own.uid === identity.uid && own.resourceVersion === identity.resourceVersion) differing.delete(key);
      else differing.set(key, identity);
    },
    forget: (key) => {
      differing.delete(key);
    },
  };
}

/** A deletion without a watch event: inferred from a list, or from another uid under the name. */
export function missedDeletion<U>(key: string, object: U): DeletedEvent<U> {
  return { type: 'deleted', key, object, finalStateUnknown: true, inferred: true };
}

/** Collects the events of a change of several keys, deletions first. */
export class Transitions<T> {
  private readonly all: ObjectEvent<T>[] = [];
  private readonly flags: { readonly initial: boolean; readonly inferred: boolean; readonly finalStateUnknown?: boolean };

  /** @param flags - the flags of every event; `initial` applies to `added`. */
  constructor(flags: Transitions<T>['flags']) {
    this.flags = flags;
  }

  add(key: string, before: T | undefined, object: T | undefined): void {
    const { initial, inferred, finalStateUnknown = false } = this.flags;
    const isOther = before !== undefined && (object === undefined || isOtherObject(before, object));
    if (isOther) this.all.push({ type: 'deleted', key, object: before, finalStateUnknown, inferred });
    if (object === undefined) return;
    if (before === undefined || isOther) this.all.push({ type: 'added', key, object, initial, inferred });
    else this.all.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred });
  }

  events(): readonly ObjectEvent<T>[] {
    return deletionsFirst(this.all);
  }
}
