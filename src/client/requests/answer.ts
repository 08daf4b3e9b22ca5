import { isJsonObject } from '../../api/json.js';
import { defer, map, type MonoTypeOperatorFunction, Observable, type OperatorFunction, reduce, tap } from 'rxjs';
import { DecodeError } from '../../api/errors/decodeError.js';
import { foreignText } from '../../api/errors/foreignText.js';
import { ApiError, apiErrorOfStatus, isStatus, type Status } from '../../api/errors/apiError.js';
import type { Decoder } from '../decode/decoder.js';
import { parseJson } from '../parseJson.js';
import { RequestError } from './requestError.js';
import { follow } from '../../rx/trampoline.js';
import type { TransportEvent } from './transport.js';

/** Concatenates byte arrays; a single one is returned as it is. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A complete answer to a request. */
export interface Answer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

function statusOf(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a page of HTML, in one line. */
function pageText(html: string): string {
  const title = /<title[^>]*>[^<]*/i.exec(html)?.[0] ?? '';
  return `${title} ${html.replace(/<(script|style|head|title)\b[^]*?<\/\1>/gi, '')}`
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** The message of an error answer without a Status: proxies, login pages and overloaded servers send plain text or HTML. */
function messageOf({ status, headers }: Answer, text: string, request: string): string {
  const type = headers['content-type'] ?? '';
  const said = `${request} was answered with ${status}`;
  const isPage = /^text\/html\b/i.test(type) || /^\s*</.test(text);
  const shown = isPage ? pageText(text) : text.trim();
  return `${said}${isPage ? ' and a page of HTML, which no API server sends' : ''}${shown === '' ? '' : `: ${shown}`}`;
}

function retryAfterMsOf(headers: Answer['headers']): number | undefined {
  const seconds = headers['retry-after']?.trim() ?? '';
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/**
 * The ApiError of an unsuccessful answer, with the fields of its Status.
 *
 * @see client-go's `errors.NewGenericServerResponse`
 */
export function answerError(answer: Answer, request: string): ApiError {
  const text = new TextDecoder().decode(answer.body);
  const status = statusOf(text);
  const retryAfterMs = retryAfterMsOf(answer.headers);
  return status === undefined
    ? new ApiError({ code: answer.status, message: messageOf(answer, text, request), retryAfterMs, request })
    : apiErrorOfStatus({ ...status, code: typeof status.code === 'number' ? status.code : answer.status }, request, retryAfterMs);
}

/** How many bytes of an error answer are read: enough for any Status. */
const maxErrorBytes: number = 1024 * 1024;

/** The limit for an answer with one object, as for an item of a list and an event of a watch. */
export const maxObjectBytes: number = 16 * 1024 * 1024;

const is2xx = (status: number): boolean => status >= 200 && status < 300;

/** Passes on the events of a successful answer. For any other, reads at most `maxErrorBytes` and fails with its ApiError. */
export function successful(request: string, isSuccess: (status: number) => boolean = is2xx): MonoTypeOperatorFunction<TransportEvent> {
  return (events) =>
    new Observable((subscriber) => {
      let head: Omit<Answer, 'body'> = { status: 0, headers: {} };
      const refusal: Uint8Array[] = [];
      let length = 0;
      const refuse = (): void => subscriber.error(answerError({ ...head, body: joinBytes(refusal) }, request));
      follow(events, subscriber, {
        next: (event) => {
          if (event.type === 'head') head = event;
          if (isSuccess(head.status)) subscriber.next(event);
          else if (event.type === 'data') {
            refusal.push(event.chunk);
            length += event.chunk.length;
            if (length > maxErrorBytes) refuse();
          }
        },
        complete: () => (isSuccess(head.status) ? subscriber.complete() : refuse()),
      });
    });
}

/** Calls a function with the head of each exchange; what it throws becomes the error of the exchange. */
export function atHead(seen: (head: Extract<TransportEvent, { readonly type: 'head' }>) => void): MonoTypeOperatorFunction<TransportEvent> {
  return tap((event) => {
    if (event.type === 'head') seen(event);
  });
}

/** Collects the whole of a successful answer; fails beyond `maxBytes`. */
export function wholeAnswer(request: string, maxBytes: number): OperatorFunction<TransportEvent, Answer> {
  return (events) =>
    defer(() => {
      const parts: Uint8Array[] = [];
      let length = 0;
      const none: Omit<Answer, 'body'> = { status: 0, headers: {} };
      const read = events.pipe(
        successful(request),
        reduce((head, event) => {
          if (event.type === 'head') return event;
          parts.push(event.chunk);
          length += event.chunk.length;
          if (length <= maxBytes) return head;
          const message = `Expected the answer to ${request} to have at most ${maxBytes} bytes, got more`;
          throw new RequestError({ code: 'ERR_DECODE', message, request });
        }, none),
      );
      return read.pipe(map(({ status, headers }) => ({ status, headers, body: joinBytes(parts) })));
    });
}

/** Throws when the content type is not JSON, for example for the login page of a proxy. */
function expectJson(headers: Answer['headers'], request: string): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/json' || type.endsWith('+json')) return;
  const message = `${request} was answered with ${JSON.stringify(foreignText(type))}, expected application/json; is the server's URL that of an API server?`;
  throw new RequestError({ code: 'ERR_CONTENT_TYPE', message, request });
}

/** The JSON of a successful answer. */
export function jsonOf({ headers, body }: Answer, request: string): unknown {
  expectJson(headers, request);
  try {
    return parseJson(body, `the answer to ${request}`, 0);
  } catch (error) {
    throw error instanceof DecodeError ? new RequestError({ code: error.code, message: error.message, request }) : error;
  }
}

/** The JSON object of a successful answer. */
export function objectOf(answer: Answer, request: string): object {
  const value = jsonOf(answer, request);
  if (isStatus(value) && value.status === 'Failure') throw apiErrorOfStatus(value, request);
  if (isJsonObject(value)) return value;
  const message = `Expected the answer to ${request} to be a JSON object, got another value`;
  throw new RequestError({ code: 'ERR_DECODE', message, request });
}

/**
 * Decodes the body of a successful answer, status 200 and nothing else, while it arrives. Any other answer is an ApiError.
 *
 * @param progress - emitted for the headers, and for bytes that complete no value: it shows that the connection lives.
 * @param request - the request, for messages.
 */
export function decodeBody<T>(made: () => Decoder<T>, progress: T, request: string): OperatorFunction<TransportEvent, T> {
  return (events) =>
    new Observable((subscriber) => {
      const decoder = made();
      let emitted = 0;
      const emit = (value: T): void => {
        emitted += 1;
        subscriber.next(value);
      };
      const next = (event: TransportEvent): void => {
        const before = emitted;
        if (event.type === 'head') expectJson(event.headers, request);
        else decoder.push(event.chunk, emit);
        if (emitted === before) subscriber.next(progress);
      };
      const whole$ = events.pipe(successful(request, (status) => status === 200));
      // `tap` makes an error of what is thrown where an answer cannot be read.
      follow(whole$.pipe(tap({ next, complete: () => decoder.end(emit) })), subscriber, {});
    });
}
