import type { Subscriber } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { InitReason, SourceEvent } from '../../api/events/sourceEvent.js';
import { afterListFailure } from './afterListFailure.js';
import { afterWatchEnd, provesHealth } from './afterWatchEnd.js';
import { afterWatchListEnd } from './afterWatchListEnd.js';
import { Deadline } from './deadline.js';
import { hasGoneBack } from './hasGoneBack.js';
import { listPages, type ListPagesEvent } from '../pages/listPages.js';
import { listRequest } from '../pages/listRequest.js';
import type { ReflectSettings } from './reflectOptions.js';
import { ReflectorMemory } from './reflectorMemory.js';
import type { RelistVersion } from './relistResourceVersion.js';
import { createRequestSlot } from './requestSlot.js';
import { RollbackProbe } from './rollbackProbe.js';
import { type Failure, failureOf, SourceOutput } from './sourceOutput.js';
import { StepRunner } from './stepRunner.js';
import { traceRequests } from './traceRequests.js';
import type { WatchEnd, WatchFacts } from './watchEnd.js';
import { WatchReader } from './watchReader.js';
import { watchRequest } from './watchRequest.js';

/** How a list is to be begun. */
interface ListStep {
  readonly reason: InitReason;
  /** Not streamed, whatever the strategy says. */
  readonly plain?: boolean;
  /** The page size of the list that this one repeats. */
  readonly limit?: number;
  /** It repeats a streamed list that ended early. */
  readonly restarted?: boolean;
}

/**
 * One subscription to a reflector: a machine with four states, of which each is entered by one method.
 *
 * ```text
 *          listPaged <-----+              complete
 * list -->     ^ fallback  | wait  ------------------> watch ---+
 *          listStreamed ---+                             ^      | wait or at once
 *              |  marker, the same request goes on       |      v
 *              +-----------------------------------------+--- ended ---> list
 * ```
 *
 * What follows a failure is decided by pure functions (`afterWatchEnd`, `afterWatchListEnd`, `relistResourceVersion` and others); this class
 * carries their decisions out.
 *
 * @internal
 */
export class ReflectorSession<T extends KubernetesObject> {
  private readonly source: ListerWatcher<T>;
  private readonly settings: ReflectSettings;
  private readonly output: SourceOutput<T>;
  private readonly memory: ReflectorMemory;
  private readonly resource: string;
  private readonly steps: StepRunner;
  private readonly slot = createRequestSlot();
  private readonly probe: RollbackProbe<T>;
  private readonly period: Deadline;
  private reader: WatchReader<T> | undefined;
  private listing = true;

  constructor(subscriber: Subscriber<SourceEvent<T>>, source: ListerWatcher<T>, settings: ReflectSettings) {
    this.settings = settings;
    this.output = new SourceOutput(subscriber, source, settings);
    this.resource = source.resource ?? 'objects';
    this.memory = new ReflectorMemory(source, this.resource, settings);
    const traced = traceRequests(source, settings, (cause) =>
      this.output.report(failureOf('ERR_HANDLER', `The trace of ${this.resource} failed`, cause)),
    );
    this.source = traced.source;
    this.probe = new RollbackProbe(traced.probe, settings);
    this.steps = new StepRunner(settings.scheduler);
    this.period = new Deadline(settings.scheduler, () => this.periodOver());
  }

  start(): void {
    this.steps.run(() => this.list({ reason: 'first' }));
  }

  stop(): void {
    this.steps.stop();
    this.leave();
    this.period.clear();
  }

  private runLater(failure: Failure, step: () => void): void {
    this.steps.runAfter(this.output.retryLater(failure), step);
  }

  // Lists

  private list(step: ListStep): void {
    this.listing = true;
    this.output.link('listing');
    this.init(step.reason);
    if (this.steps.stopped) return;
    if (step.plain !== true && this.memory.streamsList()) this.listStreamed(step);
    else this.listPaged(step);
  }

  private init(reason: InitReason): void {
    const { lastResourceVersion } = this.memory;
    this.output.init(lastResourceVersion === '' ? 'first' : reason, lastResourceVersion);
  }

  private listPaged({ limit: repeatedLimit }: ListStep): void {
    const version = this.memory.pagedVersion();
    const limit = repeatedLimit ?? this.memory.pageSize(version);
    const { listTimeoutMs: timeoutMs, scheduler } = this.settings;
    this.slot.start(() => listPages(this.source, listRequest(version, limit), { timeoutMs, scheduler }), {
      next: (event) => this.listed(event, version),
      error: (error) => this.listFailed(error, version, limit),
      complete: () => this.steps.run(() => this.watch()),
    });
  }

  private listed(event: ListPagesEvent<T>, asked: RelistVersion): void {
    if (event.type === 'items') {
      this.output.page(event.items);
    } else if (event.type === 'restart') {
      this.output.report(failureOf('ERR_LIST', `Cannot list ${this.resource} to the end`, event.error));
      this.init('expired');
    } else {
      this.memory.pagedListCame(asked, event.paginated);
      if (asked.resourceVersionMatch === 'Exact' && event.resourceVersion !== asked.resourceVersion) {
        const message = `Listed ${this.resource} at version ${event.resourceVersion}, although version ${asked.resourceVersion} was asked for`;
        this.output.report({ code: 'ERR_LIST', message });
      }
      this.complete(event.resourceVersion);
    }
  }

  private complete(resourceVersion: string): void {
    if (this.steps.stopped) return;
    this.listing = false;
    this.memory.listComplete(resourceVersion);
    if (this.settings.relistPeriodMs > 0) this.period.set(this.settings.relistPeriodMs);
    this.output.ready(resourceVersion);
  }

  private listFailed(error: unknown, asked: RelistVersion, limit: number): void {
    const after = afterListFailure(error, asked.resourceVersion);
    const failure = failureOf(after.code, `Cannot list ${this.resource}`, error);
    if (after.next === 'mostRecent') {
      this.memory.versionUnavailable = true;
      this.output.report(failure, 'listing');
      this.steps.run(() => this.list({ reason: 'expired', plain: true, limit }));
      return;
    }
    this.runLater(failure, () => this.list({ reason: 'error' }));
  }

  private periodOver(): void {
    // A list under way, or about to be tried again, sets the timer anew when it is complete.
    if (this.listing) return;
    this.memory.consistent = true;
    const step = (): void => this.list({ reason: 'period' });
    if (this.steps.redirect(step)) return;
    // A watch that is given up for a list may have been proof of health like one that ended by itself.
    if (this.reader !== undefined && provesHealth(this.reader.facts(), this.settings.healthyWatchMs)) this.output.failures = 0;
    this.leave();
    this.steps.run(step);
  }

  // Watches

  /** Drops whatever is under way. */
  private leave(): void {
    this.slot.stop();
    this.probe.stop();
    this.reader?.stop();
  }

  private watch(): void {
    this.openWatch(this.memory.lastResourceVersion, false, (end, facts) => this.watchEnded(end, facts));
    if (this.steps.stopped) return;
    this.probe.look((current) => this.versionSeen(current));
  }

  private versionSeen(current: string): void {
    const { lastResourceVersion } = this.memory;
    if (!hasGoneBack(current, lastResourceVersion)) return;
    this.leave();
    this.memory.versionUnavailable = true;
    const message = `The server of ${this.resource} has gone back from version ${lastResourceVersion} to version ${current}`;
    this.output.report({ code: 'ERR_WATCH_EXPIRED', message }, 'listing');
    this.steps.run(() => this.list({ reason: 'expired' }));
  }

  private listStreamed(step: ListStep): void {
    const resourceVersion = this.memory.streamedVersion();
    this.openWatch(resourceVersion, true, (end, facts) => {
      if (this.listing) this.streamedListEnded(end, facts, resourceVersion, step);
      else this.watchEnded(end, facts);
    });
  }

  private openWatch(resourceVersion: string, list: boolean, ended: (end: WatchEnd, facts: WatchFacts) => void): void {
    const reader = new WatchReader<T>({
      settings: this.settings,
      source: this.source,
      output: this.output,
      memory: this.memory,
      resourceVersion,
      list,
      listener: {
        opened: () => {
          if (!this.listing) this.output.link('watching');
        },
        ready: (version) => {
          this.complete(version);
          this.output.link('watching');
        },
        ended: (end, facts) => {
          this.leave();
          this.probe.watchEnded(end, facts);
          ended(end, facts);
        },
      },
    });
    this.reader = reader;
    this.slot.start(() => this.source.watch(watchRequest(resourceVersion, list, this.settings)), reader);
  }

  private streamedListEnded(end: WatchEnd, facts: WatchFacts, resourceVersion: string, { reason, restarted = false }: ListStep): void {
    const { veryShortWatchMs, listStrategy } = this.settings;
    const mustStream = listStrategy === 'watchList';
    const { next, code, why, remember } = afterWatchListEnd(end, facts, { veryShortWatchMs, resourceVersion, restarted, mustStream });
    const failure = failureOf(code, `Cannot stream the list of ${this.resource}`, end.type === 'failed' ? end.error : why);
    if (next === 'later') {
      this.runLater(failure, () => this.list({ reason: 'error' }));
      return;
    }
    this.output.report(failure, 'listing');
    if (remember) this.memory.streamRefused();
    if (next === 'mostRecent') this.memory.versionUnavailable = true;
    this.steps.run(() => {
      if (next === 'list') this.list({ reason, plain: true });
      else if (next === 'mostRecent') this.list({ reason: 'expired' });
      else this.list({ reason, restarted: true });
    });
  }

  private watchEnded(end: WatchEnd, facts: WatchFacts): void {
    const { veryShortWatchMs, healthyWatchMs } = this.settings;
    if (provesHealth(facts, healthyWatchMs)) this.output.failures = 0;
    const undecodableBefore = this.memory.undecodableVersion === this.memory.lastResourceVersion;
    const internalErrorRetry = this.memory.retriesInternalError(end);
    const after = afterWatchEnd(end, facts, { veryShortWatchMs, healthyWatchMs, undecodableBefore, internalErrorRetry });
    if (after.code === 'ERR_DECODE') this.memory.undecodableVersion = this.memory.lastResourceVersion;
    const step = (): void => (after.next === 'watch' ? this.watch() : this.list({ reason: after.reason }));
    if (after.code === undefined) {
      this.steps.run(step);
      return;
    }
    const what = facts.opened ? `The watch of ${this.resource} failed` : `Cannot watch ${this.resource}`;
    const failure = failureOf(after.code, what, end.type === 'failed' ? end.error : after.why);
    if (after.wait) {
      this.runLater(failure, step);
    } else {
      this.output.retryNow(failure);
      this.steps.run(step);
    }
  }
}
