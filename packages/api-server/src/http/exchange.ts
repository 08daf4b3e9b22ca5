import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous, type User } from '../auth/user.js';
import type { Clock } from 'rx-informer/workqueue';
import type { Cluster } from '../cluster.js';
import type { BodyWriter, HookedRequest, ServerHooks } from '../hooks.js';
import { sliceMs, yieldNow } from '../read/yieldNow.js';
import type { StatusError } from '../status/statusError.js';
import { createStreamSink } from '../watch/streamSink.js';
import type { WatchSink } from '../watch/watchSink.js';
import { listBytes, valueBytes, type Layout, type ListParts } from './layout.js';
import { negotiate, protobufType, yamlType, type AcceptedForm, type OfferedForms } from './mediaTypes.js';
import { QueryParameters } from './queryParameters.js';
import { chunked, responseWriter } from './responseBody.js';
import type { RouteTarget } from './routePath.js';

const jsonType = 'application/json';
const gzipThreshold = 128 * 1024;

/** Options of an answer besides its code. */
export interface AnswerOptions {
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function wantsPretty(incoming: IncomingMessage, query: QueryParameters, form: AcceptedForm): boolean {
  if (query.has('pretty')) return query.flag('pretty');
  return form.pretty || /^(curl|Wget|Mozilla\/5\.0)/.test(incoming.headers['user-agent'] ?? '');
}

/** The form of errors: they are never converted, and JSON for a client that accepts nothing else. */
function errorForm(accept: string | undefined): AcceptedForm {
  try {
    return negotiate(accept, { yaml: true, converts: () => false });
  } catch {
    return { encoding: 'json', as: undefined, pretty: false };
  }
}

function typeOf(layout: Layout): string {
  return layout === 'yaml' ? yamlType : layout === 'protobuf' ? protobufType : jsonType;
}

/**
 * One HTTP request and its answer.
 */
export class Exchange implements HookedRequest {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: string;
  readonly parameters: QueryParameters;
  readonly hooks: ServerHooks;
  readonly clock: Clock;
  private readonly modern: boolean;
  target: RouteTarget = { segments: [] };
  verb = '';
  user: User = anonymous;
  /** The form of the answer, after content negotiation. */
  form: AcceptedForm = { encoding: 'json', as: undefined, pretty: false };

  private readonly openWebSocket: (() => WatchSink) | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    { hooks, clock, features }: Pick<Cluster, 'hooks' | 'clock' | 'features'>,
    openWebSocket?: () => WatchSink,
  ) {
    this.openWebSocket = openWebSocket;
    this.incoming = incoming;
    this.response = response;
    this.hooks = hooks;
    this.clock = clock;
    this.modern = features.modern;
    const url = incoming.url ?? '/';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.parameters = new QueryParameters(this.query);
  }

  get method(): string {
    return this.incoming.method ?? 'GET';
  }

  /** Negotiates the form of the answer. */
  negotiate(offered: OfferedForms): AcceptedForm {
    const { accept } = this.incoming.headers;
    this.form = negotiate(accept, offered);
    return this.form;
  }

  /** Answers with a value as JSON or YAML. */
  async sendObject(code: number, value: unknown, options: AnswerOptions = {}): Promise<void> {
    await this.sendParts(code, [Buffer.from(JSON.stringify(value))], options);
  }

  /** Answers with the value whose JSON is the concatenation of the parts. */
  sendParts(code: number, parts: readonly Buffer[], options: AnswerOptions = {}): Promise<void> {
    const layout = this.layout();
    return this.sendBytes(code, typeOf(layout), valueBytes(parts, layout), options);
  }

  /** Answers with a list, without holding all of it in memory. */
  async sendList(list: ListParts): Promise<void> {
    const layout = this.layout();
    const chunks = chunked(listBytes(list, layout));
    const beginning = await beginningOf(chunks);
    await this.send(200, typeOf(layout), beginning, chunks, {});
  }

  /** Answers with unchanged bytes. */
  async sendRaw(code: number, bytes: Buffer, contentType: string, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.sendBytes(code, contentType, bytes, { headers });
  }

  /** Answers for an unknown path. */
  async sendPageNotFound(): Promise<void> {
    await this.sendText(404, '404 page not found\n', undefined, { 'x-content-type-options': 'nosniff' });
  }

  /** Answers with plain text. */
  async sendText(
    code: number,
    text: string,
    contentType = 'text/plain; charset=utf-8',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.sendBytes(code, contentType, Buffer.from(text), { headers });
  }

  /** Starts a streamed plain-text answer. The headers are sent at once. */
  openText(): BodyWriter {
    this.response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' });
    this.response.flushHeaders();
    const direct = responseWriter(this.response, false);
    return this.hooks.wrapBody?.(this)?.(direct) ?? direct;
  }

  /** Answers with a Status. */
  async sendError({ status }: StatusError): Promise<void> {
    this.form = errorForm(this.incoming.headers.accept);
    const seconds = status.details?.retryAfterSeconds ?? 0;
    await this.sendObject(status.code, status, { headers: seconds > 0 ? { 'retry-after': String(seconds) } : {} });
  }

  /** Opens the answer of a watch, as a WebSocket where the client asks for one. Headers are sent before any event exists: Go clients wait for them without a timeout. */
  openWatch(isStreamedList: boolean): WatchSink {
    if (this.openWebSocket !== undefined) return this.openWebSocket();
    const gzip = isStreamedList && this.takesGzip() && this.hooks.compressesWatch?.(this) === true;
    const compression = gzip ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {};
    const protobuf = this.form.encoding === 'protobuf';
    const type = protobuf ? `${protobufType};stream=watch` : jsonType;
    this.response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache, private', ...compression });
    this.response.flushHeaders();
    return createStreamSink(this.response, this.clock, { protobuf, gzip });
  }

  private takesGzip(): boolean {
    return /\bgzip\b/.test(this.incoming.headers['accept-encoding'] ?? '');
  }

  private isCut(): boolean {
    return this.response.destroyed;
  }

  private layout(): Layout {
    if (this.form.encoding !== 'json') return this.form.encoding;
    return wantsPretty(this.incoming, this.parameters, this.form) ? 'pretty' : 'compact';
  }

  private sendBytes(code: number, type: string, bytes: Buffer, options: AnswerOptions): Promise<void> {
    const { length } = bytes;
    return this.send(code, type, { head: [bytes], length, whole: length <= gzipThreshold }, [], options);
  }

  private async send(
    code: number,
    type: string,
    { head, length, whole }: Beginning,
    rest: Iterable<Buffer>,
    options: AnswerOptions,
  ): Promise<void> {
    const { response } = this;
    if (response.headersSent || this.isCut()) return;
    const wrap = this.hooks.wrapBody?.(this);
    const gzip = length > gzipThreshold && this.takesGzip();
    const plain = wrap === undefined && whole && !gzip;
    response.writeHead(code, {
      'content-type': options.contentType ?? type,
      'cache-control': 'no-cache, private',
      ...(plain && { 'content-length': length }),
      ...(gzip && { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
      ...options.headers,
    });
    if (plain) {
      response.end(head.length === 1 ? head[0] : Buffer.concat(head));
      return;
    }
    const direct = responseWriter(response, gzip);
    const writer = wrap?.(direct) ?? direct;
    for (const chunk of head) await writer.write(chunk);
    for (const chunk of rest) {
      if (this.isCut()) return;
      await writer.write(chunk);
    }
    writer.end();
  }
}

/** The first chunks of a body, which decide about the headers: the length of a short body, and whether to compress a long one. */
interface Beginning {
  readonly head: readonly Buffer[];
  readonly length: number;
  /** Whether these chunks are the whole body. */
  readonly whole: boolean;
}

async function beginningOf(chunks: Iterator<Buffer>): Promise<Beginning> {
  const head: Buffer[] = [];
  let length = 0;
  while (length <= gzipThreshold) {
    const begun = performance.now();
    const next = chunks.next();
    if (next.done === true) return { head, length, whole: true };
    head.push(next.value);
    length += next.value.length;
    if (performance.now() - begun > sliceMs) await yieldNow();
  }
  return { head, length, whole: false };
}
