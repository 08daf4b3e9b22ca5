import type { Cluster } from '../cluster.js';
import type { BodyWriter } from '../hooks.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asString, isJsonArray, valueAt } from '../json.js';
import { findObject, requireObject } from '../read/getObject.js';
import { badRequest, forbiddenField, invalid, invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredObject } from '../store/storedObject.js';
import { linePeriodMs, linesOfRun, type LogLine } from './containerLog.js';
import { containerNames, type ContainerRun, runsOf } from './containerRuns.js';

/** The query of a request for a log. */
interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly limitBytes: number;
}

function logOptionsOf({ parameters, clock }: Exchange, pod: string): LogOptions {
  const [tailLines, sinceSeconds, limitBytes] = ['tailLines', 'sinceSeconds', 'limitBytes'].map((name) => parameters.integer(name));
  const sinceTime = parameters.text('sinceTime');
  const errors: FieldError[] = [];
  const atLeast = (field: string, value: number | undefined, least: number, words: string): void => {
    if (value !== undefined && value < least) errors.push(invalidValue(field, String(value), words));
  };
  atLeast('tailLines', tailLines, 0, 'must be greater than or equal to 0');
  atLeast('limitBytes', limitBytes, 1, 'must be greater than 0');
  if (sinceSeconds !== undefined && sinceTime !== '')
    errors.push(forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else atLeast('sinceSeconds', sinceSeconds, 1, 'must be greater than 0');
  if (parameters.has('stream')) errors.push(forbiddenField('stream', 'may not be specified'));
  if (errors.length > 0) throw invalid('PodLogOptions', '', pod, errors);
  const time = Date.parse(sinceTime);
  if (sinceTime !== '' && Number.isNaN(time))
    throw badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(sinceTime)} as "2006"`,
    );
  return {
    follow: parameters.flag('follow'),
    previous: parameters.flag('previous'),
    timestamps: parameters.flag('timestamps'),
    tailLines,
    // As with a kubelet, the resolution is one second.
    since:
      sinceTime !== '' ? Math.floor(time / 1_000) * 1_000 : sinceSeconds === undefined ? -Infinity : clock.now() - sinceSeconds * 1_000,
    limitBytes: limitBytes ?? Infinity,
  };
}

/** The container of a request: the named one, the default one, or the only one. */
export function containerOf({ content, name }: StoredObject, asked: string): string {
  const names = containerNames(content);
  if (asked !== '') {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const preferred = content.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  if (typeof preferred === 'string' && names.includes(preferred)) return preferred;
  const own = valueAt(content, 'spec', 'containers');
  if (isJsonArray(own) && own.length > 1)
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  return names[0] ?? '';
}

/** The run of a request: the current one, or the last one while the container waits. */
function runFor({ content, name }: StoredObject, container: string, previous: boolean): ContainerRun | undefined {
  const runs = runsOf(content, container);
  if (previous) {
    if (runs?.previous === undefined) throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
    return runs.previous;
  }
  const run = runs?.current ?? runs?.previous;
  if (runs !== undefined && run === undefined)
    throw badRequest(
      `container "${container}" in pod "${name}" is waiting to start: ${runs.waiting === '' ? 'ContainerCreating' : runs.waiting}`,
    );
  return run;
}

/** One request for a log. */
class LogAnswer {
  private readonly cluster: Cluster;
  private readonly options: LogOptions;
  private readonly key: string;
  private readonly run: ContainerRun | undefined;
  private readonly container: string;
  private sent = 0;
  private left: number;
  private isFirst = true;

  constructor(cluster: Cluster, pod: StoredObject, container: string, options: LogOptions) {
    this.cluster = cluster;
    this.options = options;
    this.container = container;
    this.key = `${pod.content.metadata.uid}/${container}`;
    this.run = runFor(pod, container, options.previous);
    this.left = options.limitBytes;
  }

  /** Whether there is a log. */
  get exists(): boolean {
    return this.run !== undefined || this.cluster.logs.read(this.key, undefined) !== undefined;
  }

  /** The part of the log that has not been sent. */
  next(pod: StoredObject | undefined): Buffer {
    const all = this.linesNow(pod).filter(({ at }) => at >= this.options.since);
    const { tailLines } = this.options;
    const from = this.isFirst && tailLines !== undefined ? Math.max(all.length - tailLines, 0) : this.sent;
    this.isFirst = false;
    this.sent = all.length;
    const text = all
      .slice(from)
      .map((line) => `${this.stamp(line)}${line.text}\n`)
      .join('');
    const bytes = Buffer.from(text).subarray(0, Math.min(this.left, Number.MAX_SAFE_INTEGER));
    this.left -= bytes.length;
    return bytes;
  }

  /** Whether no more lines will follow. */
  isOver(pod: StoredObject | undefined): boolean {
    if (pod === undefined || this.left <= 0 || `${pod.content.metadata.uid}/${this.container}` !== this.key) return true;
    const run = this.runNow(pod);
    return this.run !== undefined && (run === undefined || run.finishedAt !== undefined);
  }

  private stamp({ at }: LogLine): string {
    return this.options.timestamps ? `${new Date(at).toISOString().slice(0, -1)}000000Z ` : '';
  }

  /** The run of this answer, in its current state. */
  private runNow(pod: StoredObject | undefined): ContainerRun | undefined {
    const runs = pod && runsOf(pod.content, this.container);
    return [runs?.current, runs?.previous].find((run) => run?.startedAt === this.run?.startedAt);
  }

  private linesNow(pod: StoredObject | undefined): readonly LogLine[] {
    const run = this.runNow(pod) ?? this.run;
    const written = this.cluster.logs.read(this.key, run);
    if (written !== undefined || run === undefined) return written ?? [];
    return linesOfRun(this.key, run, this.cluster.clock.now());
  }
}

/** Sends new lines until the container ends or the client disconnects. */
async function follow(cluster: Cluster, { response }: Exchange, target: ResourceTarget, log: LogAnswer, writer: BodyWriter): Promise<void> {
  const { store, clock, logs } = cluster;
  const seen = { stale: false };
  const isStale = (): boolean => seen.stale;
  let wake = (): void => undefined;
  // Remembers changes that occur during a write.
  const note = (): void => {
    seen.stale = true;
    wake();
  };
  const stops = [
    store.onChange(({ id }, { object }) => {
      if (id === '/pods' && object.name === target.name && object.namespace === target.namespace) note();
    }),
    store.onReplace(note),
    logs.onWrite(note),
  ];
  response.on('close', note);
  for (;;) {
    seen.stale = false;
    const pod = findObject(cluster, target);
    const bytes = log.next(pod);
    const isOver = log.isOver(pod);
    if (bytes.length > 0) await writer.write(bytes);
    if (isOver || response.destroyed) break;
    if (isStale()) continue;
    const timer = clock.schedule(note, linePeriodMs / 2);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    timer.unsubscribe();
  }
  for (const stop of stops) stop();
  writer.end();
}

/**
 * Answers with the log of a container: the lines are computed from the pod's status, or were written by a test. A pod without a node has no
 * log.
 */
export async function handleLog(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const options = logOptionsOf(exchange, target.name);
  const pod = requireObject(cluster, target);
  const container = containerOf(pod, exchange.parameters.text('container'));
  const log = new LogAnswer(cluster, pod, container, options);
  if (!log.exists && asString(valueAt(pod.content, 'spec', 'nodeName')) === '') {
    exchange.response.writeHead(204, { 'cache-control': 'no-cache, private' }).end();
    return;
  }
  if (!log.exists) await exchange.sendText(200, `no container runs behind ${target.namespace}/${target.name}\n`, 'text/plain');
  else if (options.follow) await follow(cluster, exchange, target, log, exchange.openText());
  else await exchange.sendText(200, log.next(pod).toString(), 'text/plain');
}
