import type { ListerWatcher } from '../../api/listerWatcher.js';
import { classifyFailure } from './classifyFailure.js';
import { listPageSize } from '../pages/listPageSize.js';
import type { ListSemantics } from '../pages/listSemantics.js';
import type { ReflectSettings } from './reflectOptions.js';
import { relistResourceVersion, type RelistVersion } from './relistResourceVersion.js';
import { streamsList } from './streamsList.js';
import type { WatchEnd } from './watchEnd.js';
import { watchListResourceVersion } from './watchListResourceVersion.js';

/** Internal errors further apart than this are no row. client-go's retry of internal errors has the same. */
const rowMs = 60_000;

/**
 * What a session has learned so far, and what that means for the next list.
 *
 * @internal
 */
export class ReflectorMemory {
  /** The last version seen; `''` before the first complete list. */
  lastResourceVersion = '';
  /** A list at the last version failed because of that version, and none has succeeded since. */
  versionUnavailable = false;
  /** The next complete list has to be consistent. */
  consistent = false;
  /** The last version at which an answer could not be decoded. */
  undecodableVersion: string | undefined;
  private paginated = false;
  private internalErrorsSince = 0;
  private internalErrorAt = -Infinity;
  private readonly resource: string;
  private readonly streams: boolean | undefined;
  private readonly settings: ReflectSettings;
  private readonly refusals: Map<string, number>;

  constructor(source: Pick<ListerWatcher<unknown>, 'watchList'>, resource: string, settings: ReflectSettings) {
    this.resource = resource;
    this.streams = source.watchList;
    this.settings = settings;
    this.refusals = settings.watchListRefusals ?? new Map<string, number>();
  }

  /** Whether the next list is to be streamed. */
  streamsList(): boolean {
    return streamsList({
      strategy: this.settings.listStrategy,
      semantics: this.semantics(),
      supported: this.streams,
      refusedUntil: this.refusals.get(this.resource),
      now: this.settings.scheduler.now(),
      first: this.lastResourceVersion === '',
    });
  }

  /** The version that the next list asks for, if it is streamed. */
  streamedVersion(): string {
    return watchListResourceVersion(this, this.semantics());
  }

  /** The version that the next list asks for, if it comes in pages. */
  pagedVersion(): RelistVersion {
    return relistResourceVersion(this, this.semantics());
  }

  pageSize(version: RelistVersion): number {
    return listPageSize(version, this.settings.pageSize, this.paginated);
  }

  /** Takes note of whether a list came in pages. */
  pagedListCame(asked: RelistVersion, paginated: boolean): void {
    if (asked.resourceVersion === '0' && paginated) this.paginated = true;
  }

  /** Takes note of the server not being able to stream lists. */
  streamRefused(): void {
    this.refusals.set(this.resource, this.settings.scheduler.now() + this.settings.watchListMemoryMs);
  }

  listComplete(resourceVersion: string): void {
    this.lastResourceVersion = resourceVersion;
    this.versionUnavailable = false;
    this.consistent = false;
  }

  /** Takes note of how a watch ended, and says whether an internal error of the server is worth another watch. */
  retriesInternalError(end: WatchEnd): boolean {
    if (end.type !== 'failed' || classifyFailure(end.error) !== 'internal') return false;
    const { internalErrorRetryMs, scheduler } = this.settings;
    const now = scheduler.now();
    if (now - this.internalErrorAt >= rowMs) this.internalErrorsSince = now;
    const retries = now - this.internalErrorsSince < internalErrorRetryMs;
    this.internalErrorAt = retries ? now : -Infinity;
    return retries;
  }

  private semantics(): ListSemantics {
    return this.consistent ? 'mostRecent' : this.settings.listSemantics;
  }
}
