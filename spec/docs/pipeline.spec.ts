import { describe, it } from '@jest/globals';
import { map } from 'rxjs';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import { createIndexer } from '../../src/cache/store/createIndexer.js';
import { scanToIndex } from '../../src/delta/index/cache.js';
import { flattenChanges } from '../delta/share/flattenChanges.js';
import { shareWithSnapshot } from '../../src/delta/share/shareWithSnapshot.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { pod } from '../../src/testing/fakes/fixtures.js';
import { added, deleted, synced, updated } from '../../src/testing/marbles/resourceEvents.js';
import { runMarbles } from '../../src/testing/marbles/runMarbles.js';
import { sourceDeleted, sourceInit, sourceModified, sourcePage, sourceReady } from '../source/sourceEvents.js';
import * as pipelinePictures from './pipelinePictures.js';

const version = (name: string, resourceVersion: string): V1Pod =>
  pod(name, { metadata: { resourceVersion, uid: `uid-of-pod-default-${name}` } });
const [a, b, c] = [version('a', '2'), version('b', '3'), version('c', '6')];
const newA = version('a', '4');
const oldB = version('b', '5');

const source = {
  i: sourceInit(),
  p: sourcePage([a, b]),
  q: sourcePage([c]),
  r: sourceReady('3'),
  R: sourceReady('6'),
  m: sourceModified(newA),
  d: sourceDeleted(oldB),
};

describe('the pictures of the pipeline', () => {
  it('show a relist as one replacement that is told as its differences', () => {
    const { inputs, outputs } = pipelinePictures.scanToIndex;
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(cold(inputs['source events'], source).pipe(scanToIndex(createIndexer<V1Pod>()), flattenChanges())).toBe(
        outputs['resource events'],
        {
          a: added(a, { initial: true }),
          b: added(b, { initial: true }),
          s: synced('3'),
          u: updated(a, newA),
          x: deleted(oldB),
          t: synced('6', '5'),
          y: deleted(newA, { inferred: true, finalStateUnknown: true }),
          c: added(c, { inferred: true }),
        },
      );
    });
  });

  it('show what a late subscriber is told', () => {
    const { inputs, outputs, subscriptions } = pipelinePictures.shareWithSnapshot;
    const indexer = createIndexer<V1Pod>();
    const told = {
      a: added(a, { initial: true }),
      A: added(newA, { initial: true }),
      b: added(b, { initial: true }),
      s: synced('3'),
      t: synced('4'),
      u: updated(a, newA),
      x: deleted(oldB),
    };
    runMarbles(({ hot, expectObservable }) => {
      const shared = hot(inputs['source events'], source).pipe(scanToIndex(indexer), shareWithSnapshot(indexer), flattenChanges());
      expectObservable(shared).toBe(outputs['first subscriber'], told);
      expectObservable(shared, subscriptions?.['late subscriber'] ?? null).toBe(outputs['late subscriber'], told);
    });
  });

  it('show an informer whose server goes away and comes back', () => {
    const { inputs, outputs } = pipelinePictures.informer;
    runMarbles(({ hot, expectObservable, scheduler }) => {
      const server = new FakeListerWatcher<V1Pod>({ scheduler, latencyMs: 6 });
      server.add(pod('a'));
      const happen: Readonly<Record<string, () => unknown>> = {
        b: () => server.add(pod('b')),
        o: () => server.stop(),
        x: () => server.delete('default/b'),
        u: () => server.modify(pod('a')),
        y: () => server.start(),
      };
      const informer = createInformer(server, {
        scheduler,
        random: () => 0,
        listStrategy: 'list',
        backoff: { initialMs: 4 },
        logger: { warn: () => undefined },
      });
      const end = `^${'-'.repeat(50)}!`;
      expectObservable(informer.resource$, end).toBe(outputs.resource$, {
        a: added(a, { initial: true }),
        s: synced('2'),
        b: added(b),
        x: deleted(version('b', '4')),
        u: updated(a, version('a', '5')),
      });
      expectObservable(informer.health$.pipe(map(({ state }) => state)), end).toBe(outputs.health$, {
        i: 'idle',
        l: 'listing',
        w: 'watching',
        r: 'retrying',
      });
      hot(inputs.server).subscribe((step) => happen[step]?.());
    });
  });
});
