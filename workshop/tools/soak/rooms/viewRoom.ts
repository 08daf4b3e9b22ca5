import { Subscription } from 'rxjs';
import type { SharedInformer, V1ConfigMap } from 'rx-informer';
import { reconcile } from '@rx-informer/controller';
import { derive, groupObjects, reduceObjects, topObjects, type View } from '@rx-informer/views';
import { type Room, Told } from './room.js';

function viewsOf(informer: SharedInformer<V1ConfigMap>): Record<string, View<unknown>> {
  const kindOf = ({ metadata }: V1ConfigMap): string => metadata?.labels?.['kind'] ?? '';
  const groups = groupObjects(informer, kindOf);
  return {
    group: groups,
    total: reduceObjects(informer, { initial: 0, add: (total) => total + 1, remove: (total) => total - 1 }),
    join: derive(informer, (object, read) => ({
      name: object.metadata?.name ?? '',
      siblings: read(informer, { namespace: 'default', labelSelector: { kind: kindOf(object) } }).length,
    })),
    chain: derive(groups, ({ key, size }) => ({ key, size })),
    top: topObjects(informer, (a, b) => Number(b.metadata?.resourceVersion) - Number(a.metadata?.resourceVersion), { limit: 5 }),
  };
}

/** Views of every kind and a controller; a second graph of views and a second controller come and go. */
export class ViewRoom implements Room {
  private readonly informer: SharedInformer<V1ConfigMap>;
  private readonly counter = new Told('group', 'total', 'join', 'chain', 'top', 'reconcile', 'passing view');
  readonly told: Room['told'] = this.counter.counts;
  private readonly all: Subscription;

  constructor(informer: SharedInformer<V1ConfigMap>) {
    this.informer = informer;
    this.all = this.follow((name) => name);
  }

  pass(): void {
    this.follow(() => 'passing view').unsubscribe();
  }

  leave(): void {
    this.all.unsubscribe();
  }

  private follow(nameOf: (name: string) => string): Subscription {
    const { informer, counter } = this;
    const followed = new Subscription();
    const views = viewsOf(informer);
    for (const [name, view] of Object.entries(views)) {
      followed.add(view.change$.subscribe(counter.observer(nameOf(name))));
      followed.add(() => void view.stop());
    }
    const controller = reconcile({
      name: nameOf('maps'),
      sources: { maps: informer.resource$ },
      caches: [informer],
      reconcile: () => Promise.resolve(),
    });
    followed.add(controller.subscribe(counter.observer(nameOf('reconcile'))));
    return followed;
  }
}
