import type { SchedulerLike } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { Indexer } from '../../cache/store/indexer.js';
import type { SharedChanges } from '../../delta/share/sharedChanges.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { Activity } from './activity.js';
import type { InformerTrace } from './informerTrace.js';
import type { ResyncClock } from './resyncClock.js';

/** What those who hand changes on, handlers and consumers, have to know of their informer. */
export interface InformerContext<T> {
  readonly name: string;
  readonly changes$: SharedChanges<T>;
  readonly indexer: Indexer<T>;
  readonly turns: Trampoline;
  readonly scheduler: SchedulerLike;
  readonly clock: ResyncClock<T>;
  readonly activity: Activity;
  readonly report: (error: InformerError) => void;
  readonly trace: InformerTrace | undefined;
}
