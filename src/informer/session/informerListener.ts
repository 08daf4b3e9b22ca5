import type { HealthTracker } from './healthTracker.js';
import type { ErrorReporter } from './errorReporter.js';
import type { HandlerRegistry } from '../handlers/handlerRegistry.js';
import type { IndexSnapshots } from './indexSnapshots.js';
import type { InformerTrace } from './informerTrace.js';
import type { PipelineListener } from './pipeline.js';
import type { ResyncClock } from './resyncClock.js';
import type { WritesView } from './writesView.js';

/**
 * The parts of an informer that follow its pipeline.
 */
export interface InformerParts<U> {
  readonly tracker: HealthTracker;
  readonly clock: ResyncClock;
  readonly registry: HandlerRegistry<U>;
  readonly snapshots: IndexSnapshots<U>;
  readonly reporter: ErrorReporter;
  readonly writes: WritesView<U> | undefined;
  readonly trace: InformerTrace | undefined;
  /** The scopes to wait for, where there are several. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** Called when a list is complete, and everybody else has been told. */
  readonly onSynced: () => void;
  readonly onEnded: (error?: Error) => void;
}

/**
 * Tells the parts of an informer, in the order in which they have to know, what happens in its pipeline.
 */
export function createInformerListener<U>(parts: InformerParts<U>): PipelineListener<U> {
  const { tracker, clock, registry, snapshots, reporter, writes, scopes, trace } = parts;
  let justSynced = false;
  return {
    begin: (subject, warm) => {
      tracker.begin();
      writes?.begin();
      clock.start();
      registry.begin(subject, warm);
    },
    source: (event) => {
      trace?.source(event);
      tracker.note(event);
      if (event.type === 'status' && event.error !== undefined) reporter.tell(event.error);
      if (event.type !== 'ready' || scopes?.has(event.scope) !== false) return;
      tracker.drop(event.scope);
      writes?.leave(event.scope);
    },
    deltas: trace && ((deltas) => trace.deltas(deltas)),
    event: (event) => {
      trace?.cache(event);
      if (event.type === 'synced') {
        tracker.synced();
        justSynced = true;
      }
      writes?.note(event);
      snapshots.note(event);
    },
    through: () => {
      snapshots.flush();
      tracker.refresh();
      if (justSynced) {
        justSynced = false;
        parts.onSynced();
      }
      reporter.flush();
      trace?.settled();
    },
    idle: () => {
      snapshots.reset();
      writes?.end();
      clock.stop();
      registry.idle();
      tracker.end('idle');
    },
    ended: (error) => {
      parts.onEnded(error);
      trace?.closed();
    },
  };
}
