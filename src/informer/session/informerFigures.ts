import type { WorkerFigures } from '../../delta/buffers/worker.js';
import type { ReadFigures } from '../createLister.js';
import type { ScopeFigures } from './healthTracker.js';
import type { CollectionFigures } from './liveCollection.js';

/** The figures of a consumer of an informer's events. */
interface ConsumerFigures extends WorkerFigures {
  readonly name: string;
  /** The number of calls that failed, and the message of the last failure. */
  readonly failed: number;
  readonly failure?: string | undefined;
}

/** The figures of an informer. */
export interface InformerFigures extends CollectionFigures {
  readonly kind: 'informer';
  readonly resource: string;
  /** The selection in words; empty for another source than a client. */
  readonly selection: string;
  /** Whether it has all objects of the resource, whole: without namespace, selector or transform. */
  readonly isWhole: boolean;
  readonly resourceVersion: string;
  readonly staleMs?: number | undefined;
  readonly attempt?: number | undefined;
  /** When its session began. */
  readonly since: number;
  readonly scopes: readonly ScopeFigures[];
  readonly reads: ReadFigures;
  readonly consumers: readonly ConsumerFigures[];
}
