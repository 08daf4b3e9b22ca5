import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { asyncScheduler, filter, merge, type SchedulerLike, take, takeUntil, timer } from 'rxjs';
import { type OptionRules, rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { isEqualJson } from '../operators/folds/isEqualJson.js';
import { type CollectionState, type CollectionStore, shownState } from '../views/kernel/collectionStore.js';

/** Options of {@link useCollection} and {@link useObject}: `D` is what there is, `S` what the component selects of it. */
export interface HookOptions<D, S> {
  /** What the component needs of the data: it is rendered only when that changes. It is called while rendering, and may be an inline function. Default: all data. */
  readonly select?: ((data: D) => S) | undefined;
  /** Whether a newly selected value is as good as the one before it; then that one stays. Default: structural equality, of plain objects and arrays. */
  readonly equals?: ((before: S, after: S) => boolean) | undefined;
  /** Suspends the component while the state is `loading`. All others are returned: `failing` and `forbidden` reach no error boundary. @defaultValue `false` */
  readonly suspense?: boolean | undefined;
}

export const hookRules: OptionRules<HookOptions<never, never>> = {
  select: rules.function,
  equals: rules.function,
  suspense: rules.boolean,
};

/** What suspended components wait for. React throws away what they have: this is kept for the collection. */
const waits = new WeakMap<object, Promise<void>>();
/** Collections that have ended before they were complete: nothing is left to wait for. */
const ended = new WeakSet<object>();
const longestWaitMs = 10_000;
const graceMs = 1_000;

/**
 * Keeps a collection up until it is loaded, or has failed, and for a while after that: the component that shows it follows a little later. Who still waits when it
 * has taken too long waits anew; who was given up meanwhile holds nothing any more.
 */
export function loadingOf<T>(collection: Collection<T>, scheduler: SchedulerLike = asyncScheduler): Promise<void> {
  const known = waits.get(collection);
  if (known !== undefined) return known;
  const held = collection.change$.subscribe({ error: () => undefined });
  const wait = new Promise<void>((resolve) => {
    const isOver = (): boolean => shownState(collection, collection.health().error) !== 'loading';
    merge(collection.change$, collection.health$)
      .pipe(filter(isOver), take(1), takeUntil(timer(longestWaitMs, scheduler)))
      .subscribe({
        error: () => {
          ended.add(collection);
          resolve();
        },
        complete: resolve,
      });
  }).finally(() => {
    waits.delete(collection);
    scheduler.schedule(() => held.unsubscribe(), graceMs);
  });
  waits.set(collection, wait);
  return wait;
}

/** Where React's `act` runs what it is given at once, and then looks: its own flag, which only tests set. */
const isActing = (): boolean => (globalThis as { readonly IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT === true;

/** Calls the listener for the first of the changes that come in one task, and once more behind the last: a batch of a relay is many, and each call selects. */
function onceATask(subscribe: (listener: () => void) => () => void): (listener: () => void) => () => void {
  return (listener) => {
    let isCalled = false;
    return subscribe(() => {
      if (isCalled) return;
      listener();
      if (isActing()) return;
      isCalled = true;
      queueMicrotask(() => {
        isCalled = false;
        listener();
      });
    });
  };
}

/** The state of a store, as far as a component needs it: the same tuple until what it has selected changes. */
export function useSelected<T, D, S>(
  collection: Collection<T>,
  store: CollectionStore<T, D>,
  { select, equals = isEqualJson, suspense = false }: HookOptions<D, S>,
): CollectionState<S> {
  const shown = useRef<CollectionState<S> | undefined>(undefined);
  const getSnapshot = useMemo(() => {
    let [of, state]: [CollectionState<D> | undefined, CollectionState<S> | undefined] = [undefined, undefined];
    return (): CollectionState<S> => {
      const current = store.getSnapshot();
      if (select === undefined) return current as CollectionState<never>;
      if (of === current && state !== undefined) return state;
      // A function that is written in place is another one at each render.
      const before = state ?? shown.current;
      const [data, loaded, error, name] = current;
      const selected = data === undefined ? undefined : select(data);
      of = current;
      state = [selected, loaded, error, name] as CollectionState<S>;
      if (before !== undefined) {
        const [dataBefore, , errorBefore, nameBefore] = before;
        const isEqual = dataBefore !== undefined && selected !== undefined ? equals(dataBefore, selected) : dataBefore === selected;
        if (isEqual && error === errorBefore && name === nameBefore) state = before;
        else if (isEqual) state = [dataBefore, loaded, error, name] as CollectionState<S>;
      }
      return state;
    };
  }, [store, select, equals]);
  const subscribe = useMemo(() => onceATask(store.subscribe), [store]);
  const state = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  useEffect(() => {
    shown.current = state;
  }, [state]);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- how React 18 and 19 are told to wait
  if (suspense && state[3] === 'loading' && !ended.has(collection)) throw loadingOf(collection);
  return state;
}
