import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { asyncScheduler, filter, merge, type SchedulerLike, take, takeUntil, timer } from 'rxjs';
import { aBoolean, aFunction, errorOf, isEqualJson, type OptionRules } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import { type CollectionState, type CollectionStore, shownState } from '../kernel/collectionStore.js';

/** Options of {@link useCollection} and {@link useObject}: `D` is the type of the data, `S` that of the selected value. */
export interface HookOptions<D, S> {
  /** Selects the part that the component needs: it is rendered only when that changes. Called while rendering; may be an inline function. @defaultValue all data */
  readonly select?: ((data: D) => S) | undefined;
  /** Whether a new selected value equals the previous one, which is then kept. @defaultValue structural equality of plain objects and arrays */
  readonly equals?: ((before: S, after: S) => boolean) | undefined;
  /** Suspends the component while the state is `loading`. All other states are returned: `failing` and `forbidden` do not reach an error boundary. @defaultValue `false` */
  readonly suspense?: boolean | undefined;
}

export const hookRules: OptionRules<HookOptions<never, never>> = {
  select: aFunction,
  equals: aFunction,
  suspense: aBoolean,
};

/** The promises of suspended components, by collection. React discards the state of suspended components, so it cannot be kept there. */
const waits = new WeakMap<object, Promise<void>>();
/** The failures of collections that ended before they were complete: shown until they are, instead of waiting again. */
const failures = new WeakMap<object, Error>();
const longestWaitMs = 10_000;
const graceMs = 1_000;

/**
 * Keeps a collection running until it is loaded or has failed, and a while longer, since the component that uses it mounts a little later. After a timeout, components
 * that are still suspended start again; for those that were discarded, the collection is released.
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
        error: (error: unknown) => {
          failures.set(collection, errorOf(error));
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

/** Whether React's `act` is running: its own flag, which only tests set. */
const isActing = (): boolean => (globalThis as { readonly IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT === true;

/** What a server renders, whether collections run there or not, and what a page shows while it takes that over: both must be the same. Data that came earlier are shown right after. */
const asRendered = [undefined, false, undefined, 'loading'] as const;

/** Calls the listener at the first change of a task, and once more after the last: a relay's batch has many changes, and each call selects again. */
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

/** The state of a store for a component: the same tuple until the selected value changes. */
export function useSelected<T, D, S>(
  collection: Collection<T>,
  store: CollectionStore<T, D>,
  { select, equals = isEqualJson, suspense = false }: HookOptions<D, S>,
): CollectionState<S> {
  const shown = useRef<CollectionState<S> | undefined>(undefined);
  const getSnapshot = useMemo(() => {
    let [of, state]: [CollectionState<D> | undefined, CollectionState<S> | undefined] = [undefined, undefined];
    /** What an earlier session has left may be what the component failed for: it subscribes only if it renders. */
    const selectedOf = (data: D, loaded: boolean): S | undefined => {
      try {
        return select?.(data);
      } catch (error) {
        if (loaded) throw error;
        return undefined;
      }
    };
    return (): CollectionState<S> => {
      const current = store.getSnapshot();
      if (select === undefined) return current as CollectionState<never>;
      if (of === current && state !== undefined) return state;
      // Inline functions differ at each render.
      const before = state ?? shown.current;
      const [data, loaded, error, name] = current;
      const selected = data === undefined ? undefined : selectedOf(data, loaded);
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
  const state = useSyncExternalStore(subscribe, getSnapshot, () => asRendered);
  useEffect(() => {
    shown.current = state;
    if (state[1]) failures.delete(collection);
  }, [state, collection]);
  const isLoading = suspense && state[3] === 'loading' && getSnapshot()[3] === 'loading';
  const failure = isLoading ? failures.get(collection) : undefined;
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- how a component suspends in React 18 and 19
  if (isLoading && failure === undefined) throw loadingOf(collection);
  return useMemo(() => (failure === undefined ? state : ([state[0], false, failure, 'failing'] as const)), [state, failure]);
}
