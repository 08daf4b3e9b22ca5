import { Subscription, take } from 'rxjs';
import type { SharedInformer, V1ConfigMap } from 'rx-informer';
import { type Room, Told } from './room.js';

/** One consumer of every observable of an informer, and a handler; further ones come and go. */
export class Consumers implements Room {
  private readonly counter = new Told('change$', 'resource$', 'index$', 'events', 'process', 'handler', 'passing consumer');
  readonly told: Room['told'] = this.counter.counts;
  private readonly informer: SharedInformer<V1ConfigMap>;
  private readonly all = new Subscription();

  constructor(informer: SharedInformer<V1ConfigMap>) {
    this.informer = informer;
    this.all.add(informer.change$.subscribe(this.counter.observer('change$')));
    this.all.add(informer.resource$.subscribe(this.counter.observer('resource$')));
    this.all.add(informer.index$.subscribe(this.counter.observer('index$')));
    this.all.add(informer.events().subscribe(this.counter.observer('events')));
    this.all.add(informer.process((event) => [event]).subscribe(this.counter.observer('process')));
    const note = this.counter.note('handler');
    const handler = informer.addEventHandler({ onAdd: note, onUpdate: note, onDelete: note });
    this.all.add(() => handler.remove());
  }

  pass(): void {
    const { informer } = this;
    for (const stream of [informer.change$, informer.resource$, informer.index$, informer.events()]) {
      (stream as typeof informer.index$).pipe(take(1)).subscribe(this.counter.observer('passing consumer'));
    }
    informer.addEventHandler({ onAdd: this.counter.note('passing consumer') }).remove();
  }

  leave(): void {
    this.all.unsubscribe();
  }
}
