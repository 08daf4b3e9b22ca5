import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { stringify as stringifyYaml } from 'yaml';
import { anonymous, type User } from '../auth/user.js';
import type { ServerClock } from '../clock.js';
import type { Cluster } from '../cluster.js';
import type { BodyWriter, HookedRequest, ServerHooks } from '../hooks.js';
import type { StatusError } from '../status/statusError.js';
import { createStreamSink } from '../watch/streamSink.js';
import type { WatchSink } from '../watch/watchSink.js';
import { negotiate, type AcceptedForm, type OfferedForms } from './mediaTypes.js';
import { QueryParameters } from './queryParameters.js';
import type { RouteTarget } from './routePath.js';

const jsonType = 'application/json';
const yamlType = 'application/yaml';
const gzipThreshold = 128 * 1024;
const writeSize = 256 * 1024;
const newline = Buffer.from('\n');

/** Options of an answer beside its code. */
export interface AnswerOptions {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function wantsPretty(incoming: IncomingMessage, query: QueryParameters, form: AcceptedForm): boolean {
  if (query.has('pretty')) return query.flag('pretty');
  return form.pretty || /^(curl|Wget|Mozilla\/5\.0)/.test(incoming.headers['user-agent'] ?? '');
}

/** Writes to the response itself, as fast as the client reads. */
function responseWriter(response: ServerResponse, gzip: boolean): BodyWriter {
  const stream = gzip ? createGzip({ level: 1 }) : response;
  if (gzip) stream.pipe(response);
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (response.destroyed) resolve();
        else if (stream.write(bytes)) setImmediate(resolve);
        else {
          const done = (): void => {
            stream.off('drain', done);
            response.off('close', done);
            resolve();
          };
          stream.on('drain', done);
          response.on('close', done);
        }
      }),
    end: () => stream.end(),
  };
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
  readonly clock: ServerClock;
  target: RouteTarget = { segments: [] };
  verb = '';
  user: User = anonymous;
  /** How the answer shall look, once that has been negotiated. */
  form: AcceptedForm = { encoding: 'json', as: undefined, pretty: false };

  private readonly openWebSocket: (() => WatchSink) | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    { hooks, clock }: Pick<Cluster, 'hooks' | 'clock'>,
    openWebSocket?: () => WatchSink,
  ) {
    this.openWebSocket = openWebSocket;
    this.incoming = incoming;
    this.response = response;
    this.hooks = hooks;
    this.clock = clock;
    const [path = '/', ...query] = (incoming.url ?? '/').split('?');
    this.path = path;
    this.query = query.join('?');
    this.parameters = new QueryParameters(this.query);
  }

  get method(): string {
    return this.incoming.method ?? 'GET';
  }

  /** Finds the form of the answer, which errors take from then on too. */
  negotiate(offered: OfferedForms): AcceptedForm {
    this.form = negotiate(this.incoming.headers.accept, offered);
    return this.form;
  }

  /** Answers with a value as JSON or YAML. */
  async sendObject(code: number, value: unknown, options: AnswerOptions = {}): Promise<void> {
    await this.sendParts(code, [Buffer.from(JSON.stringify(value))], options);
  }

  /** Answers with the JSON that the parts make when put together. */
  async sendParts(code: number, parts: Iterable<Buffer>, options: AnswerOptions = {}): Promise<void> {
    const pretty = wantsPretty(this.incoming, this.parameters, this.form);
    if (this.form.encoding === 'json' && !pretty) {
      await this.sendBytes(code, jsonType, parts, options, true);
      return;
    }
    const value: unknown = JSON.parse(Buffer.concat([...parts]).toString());
    const yaml = this.form.encoding === 'yaml';
    const text = yaml ? stringifyYaml(value, { sortMapEntries: true, lineWidth: 0 }) : `${JSON.stringify(value, null, 2)}\n`;
    await this.sendBytes(code, yaml ? yamlType : jsonType, [Buffer.from(text)], options, false);
  }

  /** Answers with plain text. */
  async sendText(
    code: number,
    text: string,
    contentType = 'text/plain; charset=utf-8',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.sendBytes(code, contentType, [Buffer.from(text)], { headers }, false);
  }

  /** Answers with a Status. */
  async sendError({ status }: StatusError): Promise<void> {
    const seconds = status.details?.retryAfterSeconds ?? 0;
    await this.sendObject(status.code, status, { headers: seconds > 0 ? { 'retry-after': String(seconds) } : {} });
  }

  /** Opens the answer of a watch, as a WebSocket where the client asks for one. Headers are sent before any event exists: Go clients wait for them without a timeout. */
  openWatch(): WatchSink {
    if (this.openWebSocket !== undefined) return this.openWebSocket();
    this.response.writeHead(200, { 'content-type': jsonType, 'cache-control': 'no-cache, private' });
    this.response.flushHeaders();
    return createStreamSink(this.response);
  }

  private isCut(): boolean {
    return this.response.destroyed;
  }

  private async sendBytes(
    code: number,
    type: string,
    parts: Iterable<Buffer>,
    options: AnswerOptions,
    endWithNewline: boolean,
  ): Promise<void> {
    const { response, incoming } = this;
    if (response.headersSent || response.destroyed) return;
    const chunks = chunked(parts, endWithNewline);
    const first = chunks.next();
    const second = first.done === true ? first : chunks.next();
    const head: readonly Buffer[] = [first, second].flatMap((result) => (result.done === true ? [] : [result.value]));
    const length = head.reduce((sum, chunk) => sum + chunk.length, 0);
    const whole = second.done === true;
    const wrap = this.hooks.wrapBody?.(this);
    const gzip = length > gzipThreshold && /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '');
    const plain = wrap === undefined && whole && !gzip;
    response.writeHead(code, {
      'content-type': options.contentType ?? type,
      'cache-control': 'no-cache, private',
      ...(plain && { 'content-length': length }),
      ...(gzip && { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
      ...options.headers,
    });
    if (plain) {
      response.end(head[0]);
      return;
    }
    const direct = responseWriter(response, gzip);
    const writer = wrap?.(direct) ?? direct;
    for (const chunk of head) await writer.write(chunk);
    for (const chunk of chunks) {
      if (this.isCut()) return;
      await writer.write(chunk);
    }
    writer.end();
  }
}

/** Gathers small parts into chunks of a size worth a write, so that neither memory nor the event loop sees the whole body at once. */
function* chunked(parts: Iterable<Buffer>, endWithNewline: boolean): Generator<Buffer, void, undefined> {
  let gathered: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size >= writeSize) {
      yield Buffer.concat(gathered, size);
      gathered = [];
      size = 0;
    }
  }
  if (endWithNewline) gathered.push(newline);
  if (gathered.length > 0) yield Buffer.concat(gathered);
}
