/** What the function of a view must not do: read a cache directly, subscribe, or make a collection. The result is the error that names the view. */
export type Forbidding = (what: 'read' | 'subscribe' | { readonly make: string }) => TypeError;

/** Forbids direct reads of caches while the function of a live view runs: they would not be tracked, and the view's value would become stale. */
export const readGuard: {
  /** Of the view whose function runs and must not read caches directly. */
  reader: Forbidding | undefined;
  /** Of the view whose function runs, even where it may read directly: it must create neither views nor informers. */
  running: Forbidding | undefined;
  /** The error of a forbidden call that RxJS would have caught; thrown when the function returns. */
  misdeed: TypeError | undefined;
  /** Runs `work` for a view, during which direct reads throw. `undefined` allows them, for tracked reads. */
  readonly run: <R>(view: Forbidding | undefined, work: () => R) => R;
} = {
  reader: undefined,
  running: undefined,
  misdeed: undefined,
  run: (view, work) => {
    const { reader, misdeed } = readGuard;
    readGuard.reader = view;
    readGuard.misdeed = undefined;
    try {
      const result = work();
      // `work` may have set it: the cast undoes the narrowing of the assignment above.
      const done = readGuard.misdeed as TypeError | undefined;
      if (done !== undefined) throw done;
      return result;
    } finally {
      readGuard.reader = reader;
      readGuard.misdeed = misdeed;
    }
  },
};

/** Called by every read of a store. @throws TypeError that names the view, where the function of one runs. */
export function expectTracked(): void {
  if (readGuard.reader !== undefined) throw readGuard.reader('read');
}
