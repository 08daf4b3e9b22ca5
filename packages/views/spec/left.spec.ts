import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { type Collection, createInformer, type KubernetesObject } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { derive } from '../src/derive.js';
import { deriveMany } from '../src/deriveMany.js';
import { groupObjects } from '../src/groupObjects.js';
import { mergeClusters } from '../src/mergeClusters.js';
import { mergeViews } from '../src/mergeViews.js';
import { objectsByIndex } from '../src/objectsByIndex.js';
import { reduceObjects } from '../src/reduceObjects.js';
import { topObjects } from '../src/topObjects.js';

type Pod = KubernetesObject;

const pod = (name: string, resourceVersion: string): Pod => ({ metadata: { name, namespace: 'n', resourceVersion } });
const source = new Subject<SourceEvent<Pod>>();
const byName = (a: Pod, b: Pod): number => (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? '');
const nameOf = ({ metadata }: Pod): string => metadata?.name ?? '';

describe('An object that has left without having been deleted', () => {
  it.each<[string, (pods: Collection<Pod>) => Collection<unknown>]>([
    ['derive', (pods) => derive(pods, nameOf)],
    ['a view of a view', (pods) => derive(derive(pods, nameOf), (name) => `${name}!`)],
    ['deriveMany', (pods) => deriveMany(pods, (each) => [nameOf(each)], { key: (name) => `of ${name}` })],
    ['mergeViews', (pods) => mergeViews([pods])],
    ['mergeClusters', (pods) => mergeClusters(new Map([['here', pods]]))],
    ['objectsByIndex', (pods) => objectsByIndex(pods, 'all', 'yes')],
    ['topObjects', (pods) => topObjects(pods, byName)],
    ['topObjects with a limit', (pods) => topObjects(pods, byName, { limit: 2 })],
    ['a window', (pods) => topObjects(pods, byName).window({ limit: 2 })],
    ['groupObjects', (pods) => groupObjects(pods, nameOf)],
    ['reduceObjects', (pods) => reduceObjects(pods, { initial: 0, add: (sum) => sum + 1, groupBy: nameOf })],
  ])('is told so by %s', (_, viewOf) => {
    const pods = createInformer<Pod>(source, { indexers: { all: () => ['yes'] } });
    const view = viewOf(pods);
    const told: string[] = [];
    view.resource$.subscribe((event) => {
      if (event.type === 'deleted') told.push(event.reason ?? 'deleted');
    });
    source.next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
    source.next({ type: 'page', items: ['a', 'b'].map((name) => pod(name, '1')) });
    source.next({ type: 'ready', scope: '', resourceVersion: '1' });
    const leave = (name: string, reason?: 'moved' | 'revoked'): void =>
      source.next({ type: 'deleted', object: pod(name, '2'), resourceVersion: '2', ...(reason && { reason }) });
    leave('a', 'moved');
    source.next({ type: 'added', object: pod('a', '3'), resourceVersion: '3' });
    leave('a');
    leave('b', 'revoked');
    expect(told).toEqual(['moved', 'deleted', 'revoked']);
    expect(view.indexer.listKeys()).toEqual([]);
    void pods.stop();
  });
});
