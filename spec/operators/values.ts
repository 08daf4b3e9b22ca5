import type { ObjectEvent, ResourceChange, ResourceEvent } from '../../src/api/events.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { changeOf, snapshotOf } from '../../src/testing/marbles/resourceChanges.js';

const object = (name: string, version: number): KubernetesObject => ({ metadata: { name, resourceVersion: String(version) } });

/** Events of the objects a and b: a b added, A B updated, x y deleted, s synced. */
export const values: Record<string, ResourceEvent<KubernetesObject>> = {
  a: { type: 'added', key: 'a', object: object('a', 1), initial: false, inferred: false },
  b: { type: 'added', key: 'b', object: object('b', 2), initial: false, inferred: false },
  A: { type: 'updated', key: 'a', object: object('a', 3), oldObject: object('a', 1), resync: false, inferred: false },
  B: { type: 'updated', key: 'b', object: object('b', 4), oldObject: object('b', 2), resync: false, inferred: false },
  x: { type: 'deleted', key: 'a', object: object('a', 5), finalStateUnknown: false, inferred: false },
  y: { type: 'deleted', key: 'b', object: object('b', 6), finalStateUnknown: false, inferred: false },
  s: { type: 'synced', resourceVersion: '6', previousResourceVersion: '' },
};

/** The event of a letter. */
export const eventOf = (letter: string): ObjectEvent<KubernetesObject> => values[letter] as ObjectEvent<KubernetesObject>;

/** The same as changes of a watch; s is the snapshot of a and b, e an empty snapshot. */
export const changes: Record<string, ResourceChange<KubernetesObject>> = {
  ...Object.fromEntries(['a', 'b', 'A', 'B', 'x', 'y'].map((letter) => [letter, changeOf([eventOf(letter)])])),
  s: snapshotOf([eventOf('a').object, eventOf('b').object]),
  e: snapshotOf<KubernetesObject>([]),
};
