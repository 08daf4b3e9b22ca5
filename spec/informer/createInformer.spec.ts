import { describe, expect, it } from '@jest/globals';
import { concat, NEVER, of, Subject } from 'rxjs';
import type { ListerWatcher } from '../../src/api/listerWatcher.js';
import type { WatchEvent } from '../../src/api/watchEvent.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { brief, type Pod, pod } from '../delta/pods.js';

function scripted(items: readonly Pod[]) {
  const watch = new Subject<WatchEvent<Pod>>();
  const source: ListerWatcher<Pod> = {
    resource: 'pods',
    watchList: false,
    list: () => of({ metadata: { resourceVersion: '10' }, items }),
    watch: () => concat(watch, NEVER),
  };
  return { source, watch };
}

describe('createInformer', () => {
  it('goes from the source to resource$', async () => {
    const { source, watch } = scripted([pod('a', '1')]);
    const informer = createInformer(source);
    const seen: string[] = [];
    const states: string[] = [];
    informer.health$.subscribe(({ state, synced }) => states.push(`${state} ${synced}`));
    informer.resource$.subscribe({ next: (event) => seen.push(brief(event)), complete: () => seen.push('done') });
    await informer.whenSynced();
    watch.next({ type: 'MODIFIED', object: pod('a', '11') });
    expect(informer.indexer.getByKey('default/a')).toEqual(pod('a', '11'));
    await informer.stop();
    expect(seen).toEqual(['+default/a@1 initial', 'synced@10', '~default/a@11<1', 'done']);
    expect(states).toEqual(['idle false', 'listing false', 'watching true', 'stopped true']);
    expect(watch.observed).toBe(false);
  });
});
