import { describe, expect, it } from '@jest/globals';
import { map } from 'rxjs';
import { createInformer } from 'rx-informer';
import { FakeListerWatcher, pod, runMarbles } from 'rx-informer/testing';
import { derive } from '../src/derive.js';
import { groupObjects } from '../src/groupObjects.js';

describe('views of informers', () => {
  it('start them, are complete with them, change with them in virtual time, and leave them', () => {
    runMarbles(({ cold, expectObservable, scheduler }) => {
      const pods = new FakeListerWatcher({ scheduler });
      const nodes = new FakeListerWatcher({ scheduler });
      pods.add(pod('a', { metadata: { labels: { app: 'web' } } }));
      const podInformer = createInformer(pods, { scheduler, name: 'pods' });
      const nodeInformer = createInformer(nodes, { scheduler, name: 'nodes' });
      const groups = groupObjects(podInformer, ({ metadata }) => metadata?.labels?.['app'], { scheduler });
      const sizes = derive(groups, ({ key, objects }, read) => `${key} ${String(objects.length)} of ${String(read(nodeInformer).length)}`, {
        scheduler,
      });
      const text = derive(sizes, (size) => size, { scheduler });
      cold('--a-b-c', { a: 1, b: 2, c: 3 }).subscribe((step) => {
        if (step === 1) pods.add(pod('b', { metadata: { labels: { app: 'web' } } }));
        if (step === 2) nodes.add(pod('n'));
        if (step === 3) pods.delete('default/a');
      });
      expect(podInformer.health().state).toBe('idle');
      const shown = text.change$.pipe(map(({ events }) => events.map(({ object }) => object).join()));
      expectObservable(shown, '^-------!').toBe('a-b-c-d', { a: 'web 1 of 0', b: 'web 2 of 0', c: 'web 2 of 1', d: 'web 1 of 1' });
      expectObservable(podInformer.health$.pipe(map(({ state }) => state)), '^---------!').toBe('w-------i', { w: 'watching', i: 'idle' });
    });
  });
});
