/** Forbids direct reads of caches while the function of a live view runs: they would not be tracked, and the view's value would become stale. */
export const readGuard: {
  /** The view whose function runs and must not read caches directly. */
  reader: string | undefined;
  /** The view whose function runs, even where it may read directly: it must create neither views nor informers. */
  running: string | undefined;
  /** The error of a forbidden call that RxJS would have caught; thrown when the function returns. */
  misdeed: TypeError | undefined;
  /** Runs `work` for a view, during which direct reads throw. `undefined` allows them, for tracked reads. */
  readonly run: <R>(view: string | undefined, work: () => R) => R;
  /** Called by every read of a store while there is a `reader`. @throws TypeError that names the view. */
  readonly refuse: () => never;
  /** Whether the function running now must not subscribe: then it fails when it returns. */
  readonly refusesSubscription: () => boolean;
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
  refuse: () => {
    throw new TypeError(
      `The function of the view ${readGuard.reader ?? ''} reads a lister or an indexer; only reads with \`read\` are tracked`,
    );
  },
  refusesSubscription: () => {
    if (readGuard.reader === undefined) return false;
    readGuard.misdeed = new TypeError(
      `The function of the view ${readGuard.reader} subscribes to an informer or a view; read it with \`read\`, or subscribe outside`,
    );
    return true;
  },
};
