import { timeout, type Observable } from 'rxjs';
import type { ListChunk, ListerWatcher } from '../../api/listerWatcher.js';
import type { ReflectSettings } from './reflectOptions.js';
import { createRequestSlot } from './requestSlot.js';
import type { WatchEnd, WatchFacts } from './watchEnd.js';

/**
 * Finds out whether the server has gone back to an earlier version, as one does that is restored from a backup.
 *
 * A watch from a version that the server has yet to reach is not refused but silent. So the version is looked at, by a list of one object, while
 * the second silent watch in a row is being replaced. Once is enough: only a broken connection brings another server, and ends the row.
 *
 * @internal
 */
export class RollbackProbe<T> {
  private silentWatches = 0;
  private readonly slot = createRequestSlot();
  private readonly source: Pick<ListerWatcher<T>, 'list'>;
  private readonly settings: Pick<ReflectSettings, 'listTimeoutMs' | 'scheduler'>;

  constructor(source: Pick<ListerWatcher<T>, 'list'>, settings: Pick<ReflectSettings, 'listTimeoutMs' | 'scheduler'>) {
    this.source = source;
    this.settings = settings;
  }

  /** Takes note of how a watch ended. */
  watchEnded(end: WatchEnd, facts: WatchFacts): void {
    if (end.type !== 'silent') this.silentWatches = 0;
    else this.silentWatches = facts.eventCount > 0 ? 1 : this.silentWatches + 1;
  }

  /** Looks if it is time to, and tells the version that it sees. A look that fails says nothing: the watch will tell. */
  look(seen: (resourceVersion: string) => void): void {
    if (this.silentWatches !== 2) return;
    this.silentWatches += 1;
    const { listTimeoutMs, scheduler } = this.settings;
    let current: string | undefined;
    const ask = (): Observable<ListChunk<T>> => {
      const answer = this.source.list({ limit: 1 });
      return Number.isFinite(listTimeoutMs) ? answer.pipe(timeout({ each: listTimeoutMs, scheduler })) : answer;
    };
    this.slot.start(ask, {
      next: ({ metadata }) => {
        current = metadata?.resourceVersion ?? current;
      },
      error: () => undefined,
      complete: () => {
        if (current !== undefined) seen(current);
      },
    });
  }

  stop(): void {
    this.slot.stop();
  }
}
