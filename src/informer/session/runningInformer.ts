import type { SchedulerLike } from 'rxjs';
import type { InformerFacts, ReadFacts } from '../../api/running/facts.js';
import { failureFacts, registry, type Running, type RunningCache } from '../../api/running/registry.js';
import type { Indexer } from '../../cache/store/indexer.js';
import type { SharedChanges } from '../../delta/share/shareWithSnapshot.js';
import { ConsumerList } from './informerContext.js';
import type { HealthTracker } from './healthTracker.js';
import type { InformerSource } from './informerSource.js';

interface RunningInformerParts<U> {
  readonly name: string;
  readonly source: Pick<InformerSource<never>, 'resource' | 'origin'>;
  readonly scheduler: SchedulerLike;
  readonly tracker: HealthTracker;
  readonly indexer: Indexer<U>;
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly changes: () => SharedChanges<U>;
  /** Whether it has a subscriber of its own, which keeps it up. */
  readonly isHeld: () => boolean;
}

/** An informer, as the registry knows it. */
export class RunningInformer<U> implements Running {
  readonly reads: ReadFacts = { reads: 0, searches: 0, searched: 0, found: 0 };
  readonly consumers: ConsumerList = new ConsumerList();
  readonly cache: RunningCache;
  private readonly parts: RunningInformerParts<U>;
  private since: number | undefined;
  /** Those who only look on. */
  private watchers = 0;

  constructor(parts: RunningInformerParts<U>) {
    const { indexer, changes } = parts;
    this.parts = parts;
    this.cache = {
      keys: () => indexer.listKeys(),
      get: (key) => indexer.getByKey(key),
      follow: (next) => {
        const following = changes().follow(next);
        this.watchers += 1;
        return () => {
          following.unsubscribe();
          this.watchers -= 1;
        };
      },
    };
  }

  /** A session begins: it is in the registry until the result is called. */
  begin(): () => void {
    this.since = this.parts.scheduler.now();
    return registry().add(this);
  }

  facts(): InformerFacts {
    const { name, source, scheduler, tracker, indexer, changes, isHeld } = this.parts;
    const { resource, origin } = source;
    const health = tracker.health();
    const { state, synced, resourceVersion, staleMs, attempt, degraded } = health;
    const { subscribers, ...figures } = changes().figures();
    const at = scheduler.now();
    const selection = origin?.selection ?? '';
    return {
      ...{ kind: 'informer', name, at, resource, selection, state, synced, resourceVersion, staleMs, attempt, degraded, ...figures },
      forMs: at - health.since,
      since: this.since ?? at,
      error: failureFacts(health.error),
      objects: indexer.listKeys().length,
      subscribers: subscribers - (isHeld() ? 1 : 0) - this.watchers,
      twin: origin?.isComparable === true ? `${registry().idOf(origin.client)} ${resource} ${selection}` : undefined,
      isWhole: origin?.isWhole === true,
      lists: [...tracker.source.lists],
      briefWatches: [...tracker.source.briefWatches],
      scopes: tracker.source.facts(),
      reads: { ...this.reads },
      consumers: this.consumers.facts(),
    };
  }
}
