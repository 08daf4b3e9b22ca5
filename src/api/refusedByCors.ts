/** The part of `fetch` used here: Node's types lack these modes. */
type Fetch = (url: string, init: object) => Promise<unknown>;

/** The origin of this page; undefined where there is none, as in programs. */
function ownOrigin(): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  return location?.origin;
}

/**
 * Whether a request that failed without an answer was blocked by the browser for lack of CORS headers, which pages cannot tell from a dead server. Sends a
 * request that needs no such headers and whose answer the page cannot read: it fails only if no server answers.
 *
 * @param url - the URL to request; nothing is sent if it has the page's own origin.
 */
export async function refusedByCors(url: string, fetch: Fetch, signal: AbortSignal): Promise<boolean> {
  const origin = ownOrigin();
  if (origin === undefined || signal.aborted || new URL(url, origin).origin === origin) return false;
  try {
    await fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal });
    return true;
  } catch {
    return false;
  }
}

/** The message about missing CORS headers. */
export function corsMessage(): string {
  return `the server answers, but has no CORS headers that let pages of ${ownOrigin() ?? 'this origin'} read it: serve both from one origin, for example by a proxy`;
}
