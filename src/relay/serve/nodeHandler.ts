import type { IncomingMessage, ServerResponse } from 'node:http';
import { of } from 'rxjs';
import { encodingOf, headersOf } from './encoding.js';
import type { Connection } from './connection.js';
import { allowOrigin, refused, type RelayRequest } from './requestChecks.js';
import type { RelayAnswer, RelayCore } from './relayCore.js';

const longestBody = 262_144;

/** Reads the body of a request; undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longestBody) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function requestOf({ method = '', url = '', headers }: IncomingMessage): RelayRequest {
  const get = (name: string): string | null => {
    const value = name === 'host' ? (headers.host ?? headers[':authority']) : headers[name.toLowerCase()];
    return value === undefined ? null : [value].flat().join(', ');
  };
  return { method, url, headers: { get } };
}

/** Serves a relay with Node's own requests and responses. */
export function nodeHandler(core: RelayCore): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = requestOf(incoming);
    const cors = allowOrigin(request, core.guard);
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
    const body = await bodyOf(incoming);
    let connection: Connection | undefined;
    const answered = (answer: RelayAnswer): void => {
      const encoding = encodingOf(request.headers.get('accept-encoding'), 'reason' in answer || answer.poll);
      response.writeHead(answer.status, headersOf(answer, cors, encoding));
      if ('reason' in answer) return void response.end(JSON.stringify({ reason: answer.reason, message: answer.message }));
      if (encoding.head !== undefined) response.write(encoding.head);
      connection = answer.open({ write: (chunk) => response.write(encoding.encode(chunk)), end: () => response.end() });
      response.on('drain', () => connection?.drained());
    };
    const tooLarge = refused(413, 'TooLarge', `Expected at most ${longestBody} bytes`);
    const answer$ = body === undefined ? of<RelayAnswer>(tooLarge) : core.answer(request, body);
    const asking = answer$.subscribe({ next: answered, error: () => response.destroy() });
    response.on('close', () => {
      asking.unsubscribe();
      connection?.close();
    });
  };
  return (request, response) => {
    // The connection broke during the body: there is nobody to answer.
    serve(request, response).catch(() => response.destroy());
  };
}
