import type { SchedulerLike } from 'rxjs';
import type { InformerFacts, ReadFacts } from '../../api/running/facts.js';
import { registry, type Running, type RunningCache } from '../../api/running/registry.js';
import { ConsumerList } from './informerContext.js';
import type { HealthTracker } from './healthTracker.js';
import type { InformerSource } from './informerSource.js';
import type { Life } from './life.js';

interface RunningInformerParts<U> {
  readonly source: Pick<InformerSource<never>, 'resource' | 'origin'>;
  readonly scheduler: SchedulerLike;
  readonly tracker: HealthTracker;
  readonly life: Life<U>;
}

/** The registry's entry of an informer. */
export class RunningInformer<U> implements Running {
  readonly reads: ReadFacts = { reads: 0, searches: 0, searched: 0, found: 0 };
  readonly consumers: ConsumerList = new ConsumerList();
  readonly cache: RunningCache;
  private readonly parts: RunningInformerParts<U>;
  private since: number | undefined;

  constructor(parts: RunningInformerParts<U>) {
    this.parts = parts;
    this.cache = parts.life.cache();
  }

  /** Registers it at the start of a session; the result removes it. */
  begin(): () => void {
    this.since = this.parts.scheduler.now();
    return registry().add(this);
  }

  facts(): InformerFacts {
    const { source, tracker, life } = this.parts;
    const { resource, origin } = source;
    const { resourceVersion, staleMs, attempt } = tracker.health();
    const facts = life.facts();
    const selection = origin?.selection ?? '';
    return {
      ...{ kind: 'informer', ...facts, resource, selection, resourceVersion, staleMs, attempt },
      since: this.since ?? facts.at,
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
