/** What is running that must not read caches by itself. */
let reader: string | undefined;

/**
 * Refuses direct reads of caches while a function of a live view runs: what it reads that way would not be tracked, and its value would become stale.
 */
export const readGuard: {
  /** Runs `work`; direct reads throw meanwhile. `undefined` allows them again, for reads that are tracked. */
  readonly run: <R>(view: string | undefined, work: () => R) => R;
  /** Every read of a store begins with this. @throws TypeError while the function of a view runs. */
  readonly check: () => void;
} = {
  run: (view, work) => {
    const before = reader;
    reader = view;
    try {
      return work();
    } finally {
      reader = before;
    }
  },
  check: () => {
    if (reader === undefined) return;
    throw new TypeError(`The function of the view ${reader} reads a lister or an indexer; only what it reads with \`read\` is kept up`);
  },
};
