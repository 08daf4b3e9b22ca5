import type { Connection } from './connection.js';
import { encodingOf, headersOf } from './encoding.js';
import type { RelayAnswer, RelayCore } from './relayCore.js';
import { allowOrigin, isEmptyAnswer, textOf } from './requestChecks.js';

/** The maximum number of bytes buffered for a reader. */
const highWaterMark = 16_384;

/** Serves a relay with the requests and responses of `fetch`. */
export function fetchHandler(core: RelayCore): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url } = request;
    // A Request made by hand has no Host header: use that of its URL.
    const get = (name: string): string | null => request.headers.get(name) ?? (name === 'host' ? new URL(url).host : null);
    const asked = { method, url, headers: { get } };
    const cors = allowOrigin(asked, core.guard);
    if (isEmptyAnswer(asked)) return new Response(null, { status: 204, headers: cors });
    // Streams of Node, Deno and Bun can be iterated; TypeScript's types of the DOM do not know it.
    const body = await textOf(request.body ?? []);
    return new Promise((resolve, reject) => {
      const { signal } = request;
      const answered = (answer: RelayAnswer): void => resolve(responseOf(answer, get('accept-encoding'), cors, signal));
      const asking = core.answer(asked, body).subscribe({ next: answered, error: reject });
      signal.addEventListener('abort', () => asking.unsubscribe());
    });
  };
}

function responseOf(answer: RelayAnswer, accepted: string | null, cors: Readonly<Record<string, string>>, signal: AbortSignal): Response {
  const encoding = encodingOf(accepted, 'reason' in answer || answer.poll);
  const head = { status: answer.status, headers: headersOf(answer, cors, encoding) };
  if ('reason' in answer) return new Response(JSON.stringify({ reason: answer.reason, message: answer.message }), head);
  let connection: Connection | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (encoding.head !== undefined) controller.enqueue(encoding.head);
        const write = (bytes: Uint8Array): boolean => {
          controller.enqueue(bytes);
          return (controller.desiredSize ?? 0) > 0;
        };
        const opened = answer.open({ write: (chunk) => write(encoding.encode(chunk)), end: () => controller.close() });
        connection = opened;
        signal.addEventListener('abort', () => opened.close());
        // It may have been aborted while its body was read.
        if (signal.aborted) opened.close();
      },
      pull: () => connection?.drained(),
      cancel: () => connection?.close(),
    },
    { highWaterMark, size: (bytes) => bytes.length },
  );
  return new Response(body, head);
}
