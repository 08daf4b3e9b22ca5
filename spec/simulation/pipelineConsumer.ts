import { ignoreElements, type SchedulerLike, timer } from 'rxjs';
import type { ResourceEvent } from '../../src/api/events.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { Fold } from './fold.js';
import type { consumerKinds } from './pipelinePlan.js';
import type { Simulated } from './simulatedServer.js';

/** A consumer of an informer, by one of its APIs. */
export interface PipelineConsumer {
  readonly kind: string;
  /** What it knows. */
  readonly content: () => Iterable<Simulated>;
  /** What cannot have happened. */
  readonly complaints: readonly string[];
  readonly leave: () => void;
}

const workMs = 40;

/** Accepts events in any order: for consumers whose buffers drop intermediate events. */
class LatestOf {
  readonly objects = new Map<string, Simulated>();
  readonly complaints: string[] = [];

  take(event: ResourceEvent<Simulated>): void {
    if (event.type === 'deleted') this.objects.delete(event.key);
    else if (event.type !== 'synced') this.objects.set(event.key, event.object);
  }
}

function processing(
  informer: SharedInformer<Simulated>,
  scheduler: SchedulerLike,
  kind: 'process' | 'conflate' | 'catchUp',
): PipelineConsumer {
  const latest = new LatestOf();
  const buffer = kind === 'process' ? 'unbounded' : kind;
  const work = (event: ResourceEvent<Simulated>) => {
    latest.take(event);
    return timer(workMs, scheduler).pipe(ignoreElements());
  };
  const subscription = informer.process(work, { buffer, ...(kind === 'catchUp' && { capacity: 2 }) }).subscribe();
  return { kind, content: () => latest.objects.values(), complaints: latest.complaints, leave: () => subscription.unsubscribe() };
}

/** After every change, the emitted content equals that of the cache: a change is never partial. */
function changes(informer: SharedInformer<Simulated>): PipelineConsumer {
  const latest = new LatestOf();
  const subscription = informer.change$.subscribe(({ events, cause }) => {
    for (const event of events) latest.take(event);
    const cached = informer.lister.list();
    const agrees = cached.length === latest.objects.size && cached.every((object) => [...latest.objects.values()].includes(object));
    if (!agrees) latest.complaints.push(`after a change by ${cause}, the cache is another one`);
  });
  return {
    kind: 'change$',
    content: () => latest.objects.values(),
    complaints: latest.complaints,
    leave: () => subscription.unsubscribe(),
  };
}

function indexes(informer: SharedInformer<Simulated>): PipelineConsumer {
  let last: Iterable<Simulated> = [];
  const subscription = informer.index$.subscribe((index) => (last = index.values()));
  const read = informer.index$;
  return {
    kind: 'index$',
    content: () => {
      // The values of the last snapshot can be iterated only once.
      read.subscribe((index) => (last = [...index.values()])).unsubscribe();
      return last;
    },
    complaints: [],
    leave: () => subscription.unsubscribe(),
  };
}

function handling(informer: SharedInformer<Simulated>, isSlow: boolean): PipelineConsumer {
  const latest = new LatestOf();
  const keyOf = ({ metadata }: Simulated): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  const set = (object: Simulated): undefined => {
    latest.objects.set(keyOf(object), object);
  };
  const registration = informer.addEventHandler(
    {
      onAdd: (object) => {
        if (latest.objects.has(keyOf(object))) latest.complaints.push(`added ${keyOf(object)} while known`);
        set(object);
      },
      onUpdate: (oldObject, object) => {
        if (latest.objects.get(keyOf(object)) !== oldObject)
          latest.complaints.push(`updated ${keyOf(object)} from something else than was known`);
        set(object);
      },
      onDelete: (object) => {
        if (!latest.objects.delete(keyOf(object))) latest.complaints.push(`deleted ${keyOf(object)} while unknown`);
      },
    },
    isSlow ? { sliceMs: 1 } : {},
  );
  return {
    kind: isSlow ? 'slow handler' : 'handler',
    content: () => latest.objects.values(),
    complaints: latest.complaints,
    leave: () => registration.remove(),
  };
}

/** Creates a consumer of one kind. */
export function pipelineConsumer(
  informer: SharedInformer<Simulated>,
  scheduler: SchedulerLike,
  kind: (typeof consumerKinds)[number],
): PipelineConsumer {
  switch (kind) {
    case 'resource$':
    case 'events': {
      const fold = new Fold(kind === 'events' ? informer.events({ sliceMs: 1 }) : informer.resource$);
      return { kind, content: () => fold.objects.values(), complaints: fold.complaints, leave: () => fold.subscription.unsubscribe() };
    }
    case 'change$':
      return changes(informer);
    case 'index$':
      return indexes(informer);
    case 'process':
    case 'conflate':
    case 'catchUp':
      return processing(informer, scheduler, kind);
    case 'handler':
    case 'slow handler':
      return handling(informer, kind === 'slow handler');
  }
}
