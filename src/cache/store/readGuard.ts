/** Refuses direct reads of caches while a function of a live view runs: they would not be tracked, and its value become stale. */
export const readGuard: {
  /** What is running that must not read caches by itself. */
  reader: string | undefined;
  /** Runs `work`; direct reads throw meanwhile. `undefined` allows them again, for reads that are tracked. */
  readonly run: <R>(view: string | undefined, work: () => R) => R;
  /** Every read of a store that finds a `reader` ends with this. @throws TypeError that names the view. */
  readonly refuse: () => never;
} = {
  reader: undefined,
  run: (view, work) => {
    const before = readGuard.reader;
    readGuard.reader = view;
    try {
      return work();
    } finally {
      readGuard.reader = before;
    }
  },
  refuse: () => {
    throw new TypeError(
      `The function of the view ${readGuard.reader ?? ''} reads a lister or an indexer; only what it reads with \`read\` is kept up`,
    );
  },
};
