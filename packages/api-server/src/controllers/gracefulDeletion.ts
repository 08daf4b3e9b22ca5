import type { Clock } from 'rx-informer/workqueue';
import type { Cluster } from '../cluster.js';
import { sliceMs } from '../read/yieldNow.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';

const pods = '/pods';
const events = '/events';
const eventLifeMs = 3_600_000;

/** Runs work at once while this turn of the event loop has time left; further work is queued for later turns, in order. */
function paced<A extends readonly unknown[]>(work: (...args: A) => void): (...args: A) => void {
  const waiting: A[] = [];
  let sliceEnd: number | undefined;
  const run = (): void => {
    sliceEnd = performance.now() + sliceMs;
    while (waiting.length > 0 && performance.now() < sliceEnd) work(...(waiting.shift() as A));
    setImmediate(() => {
      sliceEnd = undefined;
      if (waiting.length > 0) run();
    });
  };
  return (...args) => {
    waiting.push(args);
    if (sliceEnd === undefined) run();
    else if (waiting.length === 1 && performance.now() < sliceEnd) work(...(waiting.shift() as A));
  };
}

/**
 * Removes pods whose grace period has run out, because there is no kubelet.
 *
 * `afterMs` is the time that a pod stays after its deletion; undefined for its own grace period, `Infinity` forever.
 */
export function finishGracefulDeletions({ store, clock }: Cluster, afterMs: number | undefined): void {
  if (afterMs === Infinity) return;
  const timers = new Map<string, ReturnType<Clock['schedule']>>();
  const forget = (uid: string): void => {
    timers.get(uid)?.unsubscribe();
    timers.delete(uid);
  };
  const finish = (key: string, uid: string): void => {
    const current = store.bucket(pods).get(key);
    if (current === undefined || current.head.uid !== uid) return;
    const metadata = { ...current.content.metadata, deletionGracePeriodSeconds: 0 };
    store.commit(pods, (metadata.finalizers ?? []).length === 0 ? 'DELETED' : 'MODIFIED', { ...current.content, metadata });
  };
  const finishSoon = paced(finish);
  const observe = ({ key, head }: StoredObject): void => {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = head;
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return;
    if (afterMs !== undefined && timers.has(uid)) return;
    forget(uid);
    timers.set(
      uid,
      clock.schedule(
        () => {
          timers.delete(uid);
          finishSoon(key, uid);
        },
        afterMs ?? Date.parse(deletionTimestamp) - clock.now(),
      ),
    );
  };
  const observeAll = (): void => {
    for (const uid of [...timers.keys()]) forget(uid);
    for (const object of valuesBetween(store.bucket(pods).root)) observe(object);
  };
  observeAll();
  store.onReplace(observeAll);
  store.onChange(({ id }, { type, object }) => {
    if (id !== pods) return;
    if (type === 'DELETED') forget(object.head.uid);
    else observe(object);
  });
}

/**
 * Removes events an hour after their last write, or after they were restored, as the storage of a real server does; at the next write of an event, so no
 * timer is needed.
 */
export function expireEvents({ store, clock }: Cluster): void {
  const written = new Map<string, number>();
  const readAll = (): void => {
    written.clear();
    for (const { key } of valuesBetween(store.bucket(events).root)) written.set(key, clock.now());
  };
  readAll();
  store.onReplace(readAll);
  store.onChange(({ id }, { type, object }) => {
    if (id !== events) return;
    written.delete(object.key);
    if (type === 'DELETED') return;
    written.set(object.key, clock.now());
    for (const [key, at] of written) {
      if (clock.now() - at < eventLifeMs) return;
      written.delete(key);
      const expired = store.bucket(events).get(key);
      if (expired !== undefined) store.commit(events, 'DELETED', expired.content);
    }
  });
}
