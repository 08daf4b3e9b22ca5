import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Subscription } from 'rxjs';
import { errorOf, isJsonObject, messageOf } from 'rx-informer/internal';
import type { CertificateSource, KeyedCertificate } from './certificates/certificateSource.js';
import { conversionPath } from './convert.js';
import { type ExactNumbers, exactNumbers, jsonOf } from './exactNumbers.js';
import type { WebhookSettings } from './webhookServerOptions.js';
import type { ReviewReport } from './reviewObserver.js';
import type { ReviewAnswer, ServedWebhook } from './webhook.js';

/** A request that cannot be reviewed, with its HTTP status code. */
class BadReviewError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The function of a webhook has not answered in time. */
class DeadlineError extends Error {
  override readonly name = 'TimeoutError';
}

const jsonType = 'application/json';
/** The kind of reviews, with their group, by the kind. */
const groups = { AdmissionReview: 'admission.k8s.io/v1', ConversionReview: 'apiextensions.k8s.io/v1' } as const;

/** The answer to a review as it is sent. */
interface WrittenAnswer extends Pick<ReviewReport, 'verdict' | 'error'> {
  readonly code: number;
  readonly text: string;
}

const statusText = (status: object): string => JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status });

function urlOf({ url = '/' }: IncomingMessage): URL {
  const base = 'https://webhooks';
  if (!URL.canParse(url, base)) throw new BadReviewError(404, `No webhook has the path ${url}`);
  return new URL(url, base);
}

type Fields = Readonly<Record<string, unknown>>;

async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = (): BadReviewError => new BadReviewError(413, `Expected a review of at most ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A review as it was sent, checked. */
function reviewIn(text: string, kind: ServedWebhook['review']): Fields & { readonly uid: string } {
  let review: unknown;
  try {
    review = JSON.parse(text);
  } catch {
    // The error of the parser would quote the review, which may be of a Secret.
    throw new BadReviewError(400, 'Expected JSON, got something malformed');
  }
  const { apiVersion, kind: sent, request }: Fields = isJsonObject(review) ? review : {};
  if (apiVersion !== groups[kind] || sent !== kind)
    throw new BadReviewError(400, `Expected a ${kind} of ${groups[kind]}, got ${String(sent)} of ${String(apiVersion)}`);
  if (!isJsonObject(request) || typeof request['uid'] !== 'string')
    throw new BadReviewError(400, `Expected \`request.uid\` of the ${kind} to be a string`);
  if (kind === 'ConversionReview' && !(Array.isArray(request['objects']) && request['objects'].every(isJsonObject)))
    throw new BadReviewError(400, 'Expected `request.objects` of the ConversionReview to be a list of objects');
  return request as Fields & { readonly uid: string };
}

/** How long a function may take: nearly as long as the caller waits, so that the caller still gets the answer. */
export function deadlineMs(url: URL, timeoutSeconds: number): number {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(url.searchParams.get('timeout') ?? '') ?? [];
  const ms = (seconds === undefined ? timeoutSeconds : Number(seconds)) * 1_000;
  return Math.max(0.9 * ms, ms - 1_000);
}

/** Serves webhooks over TLS, once there is a certificate. */
export class WebhookServer {
  /** Resolves with the error that ended the server; with undefined after `stop`. */
  readonly ended: Promise<Error | undefined>;
  /** Emits once it listens. */
  readonly listening: Promise<void>;
  private readonly settings: WebhookSettings;
  private readonly webhooks: readonly ServedWebhook[];
  private readonly source: CertificateSource;
  private readonly subscription: Subscription;
  private server: Server | undefined;
  private isListening = false;
  private isStopping = false;
  private nowListening!: () => void;
  private nowEnded!: (error: Error | undefined) => void;

  constructor(webhooks: readonly ServedWebhook[], source: CertificateSource, settings: WebhookSettings) {
    this.webhooks = webhooks;
    this.source = source;
    this.settings = settings;
    this.listening = new Promise((resolve) => (this.nowListening = resolve));
    this.ended = new Promise((resolve) => (this.nowEnded = resolve));
    this.subscription = source.certificate$.subscribe({
      next: (certificate) => this.use(certificate),
      error: (error: unknown) => this.fail(error),
    });
  }

  /** The port being listened on. */
  port(): number | undefined {
    return this.isListening ? (this.server?.address() as AddressInfo | null)?.port : undefined;
  }

  /** Why it does not serve; undefined while it does. */
  problem(): string | undefined {
    if (this.isStopping) return 'stopping';
    return this.isListening ? undefined : (this.source.problem() ?? 'not listening yet');
  }

  /** Ends: reviews under way are answered within `graceMs`, and connections are closed. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    this.subscription.unsubscribe();
    const { server } = this;
    // One that is about to listen cannot be closed yet.
    if (server !== undefined) await Promise.race([this.listening, this.ended]);
    if (server?.listening === true) {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = this.settings.scheduler.schedule(() => server.closeAllConnections(), graceMs);
      await closed;
      late.unsubscribe();
    }
    await this.source.stop();
    this.nowEnded(undefined);
  }

  private readonly fail = (error: unknown): void => {
    this.nowEnded(errorOf(error));
  };

  private use({ cert, key }: KeyedCertificate): void {
    const { port, host, logger } = this.settings;
    if (this.server !== undefined) {
      // Connections go on with the certificate that they began with.
      this.server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
      this.tell(() => logger.info('webhooks: a new certificate is served'));
      return;
    }
    const server = createServer({ cert, key, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] }, (request, response) => {
      this.handle(request, response).catch((error: unknown) => this.tell(() => logger.error(`webhooks: ${messageOf(error)}`)));
    });
    this.server = server;
    // As controller-runtime's; the API server keeps idle connections for 90 seconds.
    Object.assign(server, { headersTimeout: 32_000, requestTimeout: 60_000, keepAliveTimeout: 95_000 });
    server.on('error', this.fail);
    server.listen(port, host, () => {
      this.isListening = true;
      this.tell(() => logger.info(`webhooks: port ${String(this.port())}`));
      this.nowListening();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = urlOf(request);
      const [kind, text] = await this.read(request, url.pathname);
      const review = reviewIn(text, kind);
      const webhook = this.webhookFor(url.pathname, review);
      if (webhook === undefined)
        this.send(response, 200, JSON.stringify({ apiVersion: groups[kind], kind, response: this.untaken(review) }));
      else await this.review(webhook, review, { url, request, response, exact: exactNumbers(text) });
    } catch (error) {
      if (!(error instanceof BadReviewError)) throw error;
      // The rest of a body that is too large is not read.
      if (error.code === 413) response.setHeader('connection', 'close');
      this.send(response, error.code, statusText({ message: error.message, code: error.code }));
    }
  }

  private async read(request: IncomingMessage, path: string): Promise<readonly [kind: ServedWebhook['review'], text: string]> {
    const kind = this.webhooks.find((one) => one.path === path)?.review;
    if (kind === undefined) throw new BadReviewError(404, `No webhook has the path ${path}`);
    if (request.method !== 'POST') throw new BadReviewError(405, `Expected a POST, got ${String(request.method)}`);
    if ((request.headers['content-type'] ?? '').split(';')[0]?.trim() !== jsonType)
      throw new BadReviewError(415, `Expected the content type ${jsonType}`);
    const { maxAdmissionBytes, maxConversionBytes } = this.settings;
    return [kind, await readBody(request, kind === 'AdmissionReview' ? maxAdmissionBytes : maxConversionBytes)];
  }

  /** The webhook of a path; conversions share one, and are told apart by their objects. */
  private webhookFor(path: string, { objects }: Fields): ServedWebhook | undefined {
    if (path !== conversionPath) return this.webhooks.find((one) => one.path === path);
    const { apiVersion, kind } = (objects as readonly Fields[])[0] ?? {};
    const [group] = String(apiVersion).split('/');
    return this.webhooks.find(({ type, resource }) => type === 'convert' && resource.kind === kind && resource.group === group);
  }

  /** The response about objects of a kind that is not converted here; about none, which is done. */
  private untaken({ uid, objects }: Fields): object {
    const [first] = objects as readonly Fields[];
    if (first === undefined) return { uid, convertedObjects: [], result: { status: 'Success' } };
    const message = `there is no conversion for ${String(first['kind'])} of ${String(first['apiVersion'])}`;
    return { uid, result: { status: 'Failure', message } };
  }

  private async review(
    webhook: ServedWebhook,
    review: Fields & { readonly uid: string },
    call: { readonly url: URL; readonly request: IncomingMessage; readonly response: ServerResponse; readonly exact: ExactNumbers },
  ): Promise<void> {
    const { url, request, response, exact } = call;
    const { scheduler, observers, logger } = this.settings;
    const at = scheduler.now();
    for (const observer of observers) this.tell(() => observer.began?.(webhook.name));
    const { verdict, error, code, text } = await this.ask(webhook, review, exact, deadlineMs(url, webhook.timeoutSeconds));
    if (error !== undefined) this.tell(() => logger.error(`webhooks: ${webhook.name}: ${messageOf(error)}`));
    this.send(response, code, text);
    const operation = String(review['operation'] ?? review['desiredAPIVersion']);
    const { traceparent } = request.headers;
    const durationMs = scheduler.now() - at;
    const report = { webhook: webhook.name, operation, dryRun: review['dryRun'] === true, verdict, code, at, durationMs, error };
    for (const observer of observers)
      this.tell(() => observer.ended?.({ ...report, ...(typeof traceparent === 'string' && { traceparent }) }));
  }

  /** Calls what the program has given. What it throws must not keep a caller from its answer. */
  private tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      console.error(`webhooks: ${messageOf(error)}`);
    }
  }

  /** The answer of a webhook within the deadline, as text: what cannot be written as JSON is a failed call. */
  private async ask(
    webhook: ServedWebhook,
    review: Fields & { readonly uid: string },
    exact: ExactNumbers,
    ms: number,
  ): Promise<WrittenAnswer> {
    const aborter = new AbortController();
    let cut: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => (cut = reject));
    const timer = this.settings.scheduler.schedule(() => {
      const error = new DeadlineError(`no answer within ${ms} ms`);
      cut(error);
      aborter.abort(error);
    }, ms);
    const written = ({ verdict, response, patch, error }: ReviewAnswer): WrittenAnswer => {
      const patched = patch && { patchType: 'JSONPatch', patch: Buffer.from(jsonOf(patch, exact)).toString('base64') };
      const body = { apiVersion: groups[webhook.review], kind: webhook.review, response: { uid: review.uid, ...response, ...patched } };
      return { verdict, error, code: 200, text: jsonOf(body, exact) };
    };
    try {
      return written(await Promise.race([webhook.answer(review, { signal: aborter.signal }), late]));
    } catch (error) {
      const answer = webhook.failure(error);
      if (answer !== undefined) return written(answer);
      return { verdict: 'failed', error, code: 500, text: statusText({ message: messageOf(error), reason: 'InternalError', code: 500 }) };
    } finally {
      timer.unsubscribe();
    }
  }

  private send(response: ServerResponse, code: number, text: string): void {
    // While stopping, callers open their next connection to another replica.
    if (this.isStopping) response.setHeader('connection', 'close');
    response.writeHead(code, { 'content-type': jsonType });
    response.end(text);
  }
}
