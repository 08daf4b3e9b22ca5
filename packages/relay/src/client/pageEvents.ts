/** The parts of a page that tell of its life. */
interface PageLike {
  readonly document?: { readonly visibilityState: string };
  readonly addEventListener?: (type: string, listener: (event: { readonly persisted?: boolean }) => void) => void;
  readonly removeEventListener?: (type: string, listener: (event: { readonly persisted?: boolean }) => void) => void;
}

/**
 * Calls `wake` when a page is online, visible or back from the browser's cache, and `rest` when the browser puts it there: a page with an open stream is not kept.
 * Elsewhere than in a page it does nothing. The result ends it.
 */
export function followPage({ wake, rest }: { readonly wake: () => void; readonly rest: () => void }): () => void {
  const page = globalThis as unknown as PageLike;
  const { document } = page;
  if (document === undefined || page.addEventListener === undefined) return () => undefined;
  const listeners: Readonly<Record<string, (event: { readonly persisted?: boolean }) => void>> = {
    online: wake,
    pageshow: wake,
    visibilitychange: () => {
      if (document.visibilityState === 'visible') wake();
    },
    pagehide: ({ persisted }) => {
      if (persisted === true) rest();
    },
  };
  for (const [type, listener] of Object.entries(listeners)) page.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of Object.entries(listeners)) page.removeEventListener?.(type, listener);
  };
}
