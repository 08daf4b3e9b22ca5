import { apiErrorOfStatus } from '../../api/errors/apiErrorOfStatus.js';
import { InformerError } from '../../api/errors/informerError.js';
import { isStatus } from '../../api/errors/isStatus.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { Status } from '../../api/errors/status.js';
import { initialEventsEndAnnotation, type WatchEvent, type WatchProgress } from '../../api/events/watchEvent.js';
import { Deadline } from './deadline.js';
import type { ReflectSettings } from './reflectOptions.js';
import type { RequestObserver } from './requestSlot.js';
import { rewatchResourceVersion } from './rewatchResourceVersion.js';
import type { SourceOutput } from './sourceOutput.js';
import type { WatchEnd, WatchFacts } from './watchEnd.js';
import { watchEventProblem } from './watchEventProblem.js';

type ChangeEvent<T> = Extract<WatchEvent<T>, { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

const changeTypes = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/** A Status made by hand may leave its kind out. */
function errorOf(object: unknown): Error {
  if (isStatus(object)) return apiErrorOfStatus(object);
  const status = (object ?? {}) as Status;
  if (status.kind === undefined && status.code !== undefined) return apiErrorOfStatus(status);
  return new InformerError({ code: 'ERR_WATCH', message: 'an ERROR event came without a Status' });
}

/**
 * What a watch tells its session, besides its events.
 *
 * @internal
 */
export interface WatchListener {
  opened(): void;
  /** The marker of a streamed list: the list is complete, the watch goes on. */
  ready(resourceVersion: string): void;
  /** The watch is over: it failed or closed, or a deadline passed. */
  ended(end: WatchEnd, facts: WatchFacts): void;
}

/**
 * What a watch is read with.
 *
 * @internal
 */
export interface WatchReaderOptions<T> {
  readonly settings: ReflectSettings;
  readonly source: Pick<ListerWatcher<T>, 'expected' | 'resource'>;
  /** Where its events go. */
  readonly output: SourceOutput<T>;
  /** Is kept up to the version reached, once the list is complete. */
  readonly memory: { lastResourceVersion: string };
  readonly listener: WatchListener;
  /** Where it begins. */
  readonly resourceVersion: string;
  /** Whether it begins with a list. */
  readonly list: boolean;
}

/**
 * Reads one watch: checks its events, keeps the version reached, and watches over its silence.
 *
 * @internal
 */
export class WatchReader<T extends KubernetesObject> implements RequestObserver<WatchEvent<T> | WatchProgress> {
  private readonly options: WatchReaderOptions<T>;
  private readonly deadline: Deadline;
  /** Keys seen while a streamed list is incomplete; `undefined` outside of one. */
  private seen: Set<string> | undefined;
  private startVersion: string;
  private version: string;
  private ordered: boolean;
  private startedAt: number;
  private openedAt: number | undefined;
  private framed = false;
  private eventCount = 0;
  private stopped = false;

  constructor(options: WatchReaderOptions<T>) {
    const { settings, resourceVersion, list } = options;
    this.options = options;
    this.seen = list ? new Set() : undefined;
    this.startVersion = resourceVersion;
    this.version = resourceVersion;
    this.ordered = resourceVersion !== '' && resourceVersion !== '0';
    this.startedAt = settings.scheduler.now();
    this.deadline = new Deadline(settings.scheduler, () => this.expired());
    this.deadline.set(list ? settings.listTimeoutMs : settings.idleTimeoutMs);
  }

  stop(): void {
    this.stopped = true;
    this.deadline.clear();
  }

  next(event: WatchEvent<T> | WatchProgress): void {
    this.signOfLife(event.type === 'PROGRESS');
    if (event.type === 'PROGRESS' || this.stopped) return;
    if (event.type === 'ERROR') {
      this.end({ type: 'failed', error: errorOf(event.object) });
      return;
    }
    const problem = watchEventProblem(event, this.options.source.expected);
    if (problem !== undefined) {
      this.report('ERR_WATCH', `left out an event ${problem}`);
      return;
    }
    this.eventCount += 1;
    if (event.type === 'BOOKMARK') this.bookmark(event.object);
    else this.change(event);
  }

  error(error: unknown): void {
    this.end({ type: 'failed', error });
  }

  complete(): void {
    this.end({ type: 'closed' });
  }

  private signOfLife(progress: boolean): void {
    const { settings, listener } = this.options;
    const opening = this.openedAt === undefined;
    if (this.seen === undefined) this.waitFor(settings.idleTimeoutMs);
    else if (opening && progress) this.waitFor(settings.watchListFirstFrameMs);
    else if (!this.framed) {
      this.framed = true;
      this.waitFor(settings.watchListMarkerMs);
    }
    if (!opening) return;
    this.openedAt = settings.scheduler.now();
    listener.opened();
  }

  private change({ type, object }: ChangeEvent<T>): void {
    const { resourceVersion = '', namespace = '', name = '' } = object.metadata ?? {};
    if (resourceVersion === '') this.report('ERR_NO_RESOURCE_VERSION', `${type} of ${namespace}/${name} came without a resourceVersion`);
    const { output, settings } = this.options;
    if (this.seen === undefined) {
      this.reach(resourceVersion, type === 'ADDED');
      output.change(changeTypes[type], object, this.version);
      return;
    }
    const known = this.seen.size;
    if (this.seen.add(`${namespace}/${name}`).size > known) this.waitFor(settings.watchListMarkerMs);
    output.change(changeTypes[type], object, resourceVersion);
  }

  private bookmark({ metadata }: KubernetesObject): void {
    const version = metadata?.resourceVersion ?? '';
    const incomplete = this.seen !== undefined;
    if (incomplete && metadata?.annotations?.[initialEventsEndAnnotation] !== 'true') {
      this.end({ type: 'unmarked', why: 'the server sent a bookmark before the end of the list' });
    } else if (version === '') {
      const message = 'a BOOKMARK came without a resourceVersion';
      if (incomplete) this.end({ type: 'failed', error: new InformerError({ code: 'ERR_NO_RESOURCE_VERSION', message }) });
      else this.report('ERR_NO_RESOURCE_VERSION', message);
    } else if (incomplete) {
      this.goLive(version);
    } else {
      this.reach(version, false);
      this.options.output.bookmark(this.version);
    }
  }

  /** From here on it is judged as a watch that has just begun: the list alone proves nothing about it. */
  private goLive(version: string): void {
    this.seen = undefined;
    this.startVersion = version;
    this.version = version;
    this.ordered = true;
    this.eventCount = 0;
    const { settings, listener } = this.options;
    this.startedAt = settings.scheduler.now();
    this.openedAt = this.startedAt;
    this.waitFor(settings.idleTimeoutMs);
    listener.ready(version);
  }

  private reach(version: string, initial: boolean): void {
    if (!initial) this.ordered = true;
    this.version = rewatchResourceVersion(this.version, version, this.ordered);
    this.options.memory.lastResourceVersion = this.version;
  }

  private report(code: 'ERR_WATCH' | 'ERR_NO_RESOURCE_VERSION', message: string): void {
    const { output, source } = this.options;
    output.report({ code, message: `Watching ${source.resource ?? 'objects'}: ${message}` });
  }

  private waitFor(ms: number): void {
    if (!this.stopped) this.deadline.set(ms);
  }

  private expired(): void {
    const { watchListFirstFrameMs, watchListMarkerMs } = this.options.settings;
    if (this.openedAt === undefined) this.end({ type: 'unopened' });
    else if (this.seen === undefined) this.end({ type: 'silent' });
    else if (!this.framed) this.end({ type: 'unmarked', why: `nothing came for ${watchListFirstFrameMs} ms after the headers` });
    else this.end({ type: 'unmarked', why: `no end of the list and no new key for ${watchListMarkerMs} ms` });
  }

  private end(end: WatchEnd): void {
    if (this.stopped) return;
    this.stop();
    this.options.listener.ended(end, this.facts());
  }

  /** What is known of it so far. */
  facts(): WatchFacts {
    const now = this.options.settings.scheduler.now();
    return {
      opened: this.openedAt !== undefined,
      eventCount: this.eventCount,
      lastedMs: now - this.startedAt,
      openMs: this.openedAt === undefined ? 0 : now - this.openedAt,
      advanced: this.version !== this.startVersion,
    };
  }
}
