/** The parts of a page that tell of its life. */
interface PageLike {
  readonly document?: { readonly visibilityState: string };
  readonly addEventListener?: (type: string, listener: Listener, options: { readonly signal: AbortSignal }) => void;
}

type Listener = (event: { readonly persisted?: boolean }) => unknown;

/**
 * Calls `wake` when a page is online, visible or back from the browser's cache, and `rest` when the browser puts it there: a page with an open stream is not kept.
 * Elsewhere than in a page it does nothing. The result ends it.
 */
export function followPage({ wake, rest }: { readonly wake: () => void; readonly rest: () => void }): () => void {
  const page = globalThis as unknown as PageLike;
  const end = new AbortController();
  const { document } = page;
  const on = (type: string, listener: Listener): void => page.addEventListener?.(type, listener, { signal: end.signal });
  if (document) {
    on('online', wake);
    on('pageshow', wake);
    on('visibilitychange', () => document.visibilityState === 'visible' && wake());
    on('pagehide', ({ persisted }) => persisted === true && rest());
  }
  return () => end.abort();
}
