/** Refuses direct reads of caches while a function of a live view runs: they would not be tracked, and its value become stale. */
export const readGuard: {
  /** What is running that must not read caches by itself. */
  reader: string | undefined;
  /** The view whose function is running, also where it may read what it likes: it must not make views. */
  running: string | undefined;
  /** The forbidden call that the function has made, where an error thrown at once would be caught by RxJS; thrown when the function returns. */
  misdeed: TypeError | undefined;
  /** Runs `work`; direct reads throw meanwhile. `undefined` allows them again, for reads that are tracked. */
  readonly run: <R>(view: string | undefined, work: () => R) => R;
  /** Every read of a store that finds a `reader` ends with this. @throws TypeError that names the view. */
  readonly refuse: () => never;
  /** Whether a subscription is made by a function that must not: then the function fails when it returns. */
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
      // Assigned by what `work` has called.
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
      `The function of the view ${readGuard.reader ?? ''} reads a lister or an indexer; only what it reads with \`read\` is kept up`,
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
