/** The part of `fetch` used here: Node's types lack some options of browsers. */
type Fetch = (url: string, init: object) => Promise<Response>;

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
async function refusedByCors(url: string, fetch: Fetch, signal: AbortSignal): Promise<boolean> {
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
  return `the server answers without CORS headers for pages of ${ownOrigin() ?? ''}: use one origin`;
}

/** One request with `fetch`, and what gets its answer. */
interface FetchExchange {
  readonly fetch: Fetch;
  readonly url: string;
  readonly init: object;
  /** The URL to request if no answer comes, to recognize a request that was refused for lack of CORS headers. */
  readonly probe: string;
  /** Gets the answer before its body. Returns whether to read that. */
  readonly head: (response: Response) => boolean | Promise<boolean>;
  readonly chunk: (bytes: Uint8Array) => void;
  readonly complete: () => void;
  readonly error: (error: unknown, isRefusedByCors: boolean) => void;
}

/**
 * Sends a request with `fetch`, and passes on its answer while it arrives. The result gives it up.
 *
 * To give up an answer, its body is cancelled, too: Node's `fetch` holds the signal weakly, so that after a garbage collection an abort no longer reaches a body
 * that is being read, and its connection stays open.
 */
export function fetchExchange({ fetch, url, init, probe, head, chunk, complete, error }: FetchExchange): () => void {
  const abort = new AbortController();
  let isAnswered = false;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Cancelling a body that was aborted rejects, and is not needed.
  const cancel = (): void => void reader?.cancel().catch(() => undefined);
  const exchange = async (): Promise<void> => {
    const response = await fetch(url, { ...init, signal: abort.signal });
    isAnswered = true;
    const { body } = response as { readonly body?: Partial<ReadableStream<Uint8Array>> | null };
    // An answer without a body has null. Not every `fetch` streams: that of React Native has none, that of node-fetch one of Node.
    if ((await head(response)) && body !== null) {
      if (body?.getReader === undefined) throw new Error('expected a streaming `fetch`');
      reader = body.getReader();
    }
    if (abort.signal.aborted) cancel();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) chunk(part.value);
    complete();
  };
  exchange().catch(async (thrown: unknown) => error(thrown, !isAnswered && (await refusedByCors(probe, fetch, abort.signal))));
  return () => {
    abort.abort();
    cancel();
  };
}
