import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { ResourceChange, SourceEvent } from '../../../src/api/events.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { added, deleted, init, modified, page, type Pod, pod, ready } from '../pods.js';

const more = (event: SourceEvent<Pod>): SourceEvent<Pod> => ({ ...event, more: true }) as SourceEvent<Pod>;

function play(...events: readonly SourceEvent<Pod>[]) {
  const source = new Subject<SourceEvent<Pod>>();
  const told: string[] = [];
  const wrong: string[] = [];
  const changes: ResourceChange<Pod>[] = [];
  const pods = createInformer<Pod>(source, { transform: (each) => (each.metadata.name === 'bad' ? (undefined as never) : each) });
  pods.error$.subscribe(() => wrong.push(pods.indexer.listKeys().join(' ')));
  pods.change$.subscribe((change) => {
    changes.push(change);
    const texts = change.events.map(({ type, key }) => `${type} ${key.replace('default/', '')}`);
    told.push(`${texts.join(', ')} of ${pods.indexer.listKeys().length}`);
  });
  for (const event of [init(), page([pod('a', '1'), pod('b', '2')]), ready('2')]) source.next(event);
  told.length = 0;
  for (const event of events) source.next(event);
  return { pods, told, wrong, changes };
}

describe('a change of several source events', () => {
  it('is one change with its deletions first, and nobody sees half of it', () => {
    const { told, changes, pods } = play(
      more(modified(pod('a', '3', { uid: 'other' }))),
      more(deleted(pod('b', '4'))),
      added(pod('c', '5')),
      modified(pod('c', '6')),
    );
    expect(told).toEqual(['deleted a, deleted b, added a, added c of 2', 'updated c of 2']);
    expect(changes.slice(1).map(({ previousResourceVersion, resourceVersion }) => [previousResourceVersion, resourceVersion])).toEqual([
      ['2', '5'],
      ['5', '6'],
    ]);
    expect(pods.health().resourceVersion).toBe('6');
  });

  it('has nothing of the one before it', () => {
    const { told } = play(more(modified(pod('a', '3'))), deleted(pod('b', '4')), more(added(pod('c', '5'))), added(pod('d', '6')));
    expect(told).toEqual(['deleted b, updated a of 1', 'added c, added d of 3']);
  });

  it('is none where nothing has come of it, and that of those events that count', () => {
    const { told } = play(more(deleted(pod('x', '3'))), deleted(pod('y', '4')), more(added(pod('c', '5'))), deleted(pod('x', '6')));
    expect(told).toEqual(['added c of 3']);
  });

  it('is over before anybody hears of an error in it', () => {
    const { told, wrong } = play(more(added(pod('bad', '3'))), added(pod('c', '4')));
    expect(told).toEqual(['added c of 3']);
    expect(wrong).toEqual(['default/a default/b default/c']);
  });
});
