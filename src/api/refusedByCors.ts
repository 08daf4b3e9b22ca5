/** What is used of a page's `fetch`: Node's types have no modes that matter. */
type Fetch = (url: string, init: object) => Promise<unknown>;

/** The origin of this page; undefined where there is none, as in programs. */
function ownOrigin(): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  return location?.origin;
}

/**
 * Whether a request that has failed without an answer was refused by the browser, for want of CORS headers: pages are told the same of that and of a dead server. It is
 * asked once more, in a way that needs no such headers and lets the page read nothing: that fails only where nothing answers.
 *
 * @param url - to ask for; of this page's own origin, nothing is asked.
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

/** What is said of it. */
export function corsMessage(): string {
  return `the server answers, but has no CORS headers that let pages of ${ownOrigin() ?? 'this origin'} read it: serve both from one origin, for example by a proxy`;
}
