import { type Observer, Subscription, take } from 'rxjs';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { groupObjects } from '../../src/views/groupObjects.js';

/** One consumer of every kind, with how often each was told something. */
export class Consumers {
  readonly told: Record<string, number> = {};
  private readonly informer: SharedInformer<V1ConfigMap>;
  private readonly all = new Subscription();

  constructor(informer: SharedInformer<V1ConfigMap>) {
    this.informer = informer;
    const groups = groupObjects(informer, ({ metadata }) => [metadata?.labels?.['kind'] ?? '']);
    this.all.add(informer.change$.subscribe(this.observer('change$')));
    this.all.add(informer.resource$.subscribe(this.observer('resource$')));
    this.all.add(informer.index$.subscribe(this.observer('index$')));
    this.all.add(informer.events().subscribe(this.observer('events')));
    this.all.add(informer.process((event) => [event]).subscribe(this.observer('process')));
    this.all.add(groups.change$.subscribe(this.observer('view')));
    const note = this.note('handler');
    const handler = informer.addEventHandler({ onAdd: note, onUpdate: note, onDelete: note });
    this.all.add(() => handler.remove());
  }

  /** A consumer of every stream that comes and goes. */
  pass(): void {
    const { informer, note, observer } = this;
    for (const stream of [informer.change$, informer.resource$, informer.index$, informer.events()]) {
      (stream as typeof informer.index$).pipe(take(1)).subscribe(observer('passing'));
    }
    informer.addEventHandler({ onAdd: note('passing') }).remove();
  }

  leave(): void {
    this.all.unsubscribe();
  }

  private readonly note = (kind: string) => (): void => {
    this.told[kind] = (this.told[kind] ?? 0) + 1;
  };

  private readonly observer = (kind: string): Observer<unknown> => ({
    next: this.note(kind),
    error: (error: unknown) => {
      throw error;
    },
    complete: () => undefined,
  });
}
