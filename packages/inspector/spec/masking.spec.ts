import { afterEach, describe, expect, it } from '@jest/globals';
import { ReplaySubject, Subscription } from 'rxjs';
import { createInformer, type KubernetesObject } from 'rx-informer';
import type { Running } from 'rx-informer/internal';
import type { SourceEvent } from 'rx-informer/pipeline';
import { reconcile } from '@rx-informer/controller';
import { derive, keep, type View } from '@rx-informer/views';
import { dump } from '../src/dump.js';
import { maskingOf, maskPart } from '../src/masking.js';
import { LiveScene } from '../src/scene.js';
import { diagnose } from '../src/warnings/diagnose.js';

const pods = { figures: () => ({ kind: 'informer', resource: 'pods', selection: 'all' }) } as unknown as Running;
const pod = { kind: 'Pod', metadata: { name: 'a' }, spec: { nodeName: 'n' } };
const secret = { kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVy' } };

describe('maskingOf', () => {
  it('compares objects of a known kind in parts, but not those into which a transform has put a Secret', () => {
    const { isOpen, shown } = maskingOf(pods);
    const withSecret = { ...pod, joined: [{ of: secret }] };
    expect([isOpen(pod), isOpen(withSecret)]).toEqual([true, false]);
    expect(JSON.stringify(shown(withSecret))).not.toContain('aHVudGVy');
  });

  it('masks the values of environment variables, in whole objects and in parts', () => {
    const env = [
      { name: 'PASSWORD', value: 'hunter2' },
      { name: 'OTHER', valueFrom: { secretKeyRef: { name: 's', key: 'value' } } },
    ];
    const object = { ...pod, spec: { containers: [{ env, resizePolicy: [{ value: 'shown' }] }] } };
    const masked = JSON.parse(JSON.stringify(object).replace('hunter2', '(masked)')) as object;
    expect(maskingOf(pods).shown(object)).toEqual(masked);
    expect(maskPart([], object)).toEqual(masked);
    expect(maskPart(['spec', 'containers', '0', 'env'], env)).toEqual([{ name: 'PASSWORD', value: '(masked)' }, env[1]]);
    expect(maskPart(['spec', 'containers', '0', 'env', '0', 'value'], 'hunter2')).toBe('(masked)');
    expect(maskPart(['spec', 'containers', '0', 'env', '0', 'value'], undefined)).toBeUndefined();
    expect(maskPart(['spec', 'value'], 'shown')).toBe('shown');
  });
});

type Claim = KubernetesObject & { readonly uses: 'secret' | 'nothing' | 'what it had' };
type Secret = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };

function sourceOf<T>(resource: string, first: T) {
  const events$ = new ReplaySubject<SourceEvent<T>>(Infinity);
  events$.next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
  events$.next({ type: 'page', items: [first] });
  events$.next({ type: 'ready', scope: '', resourceVersion: '1' });
  return { events$, collection: createInformer<T>(events$, { resource }) };
}

/** A claim that may use a Secret, a view of what it uses, and a view of that one. */
function program(resource: string) {
  const claim = (uses: Claim['uses']): Claim => ({ metadata: { name: 'c', namespace: 'default', uid: 'c' }, uses });
  const { events$, collection } = sourceOf('claims', claim('nothing'));
  const secrets = sourceOf<Secret>(resource, { ...secret, metadata: { name: 's', namespace: 'default', uid: 's' } }).collection;
  const used = derive(collection, ({ uses }, read) => {
    if (uses === 'what it had') return keep;
    return { password: uses === 'secret' ? read.get(secrets, 'default/s')?.data?.['password'] : 'none' };
  });
  const again = derive(used, ({ password }) => ({ again: password }));
  again.start();
  const use = (uses: Claim['uses']): void => events$.next({ type: 'modified', object: claim(uses), resourceVersion: '2' });
  return { views: [used, again] as readonly View<unknown>[], use };
}

describe('a view that reads Secrets at times', () => {
  const scene = new LiveScene({ title: 'a program', secrets: false, timelineBytes: 1_000_000 });
  afterEach(() => scene.stop());

  it('is masked as soon as it does, and stays so: values may be kept', () => {
    const { views, use } = program('secrets');
    scene['sync']();
    const seen = (): string => JSON.stringify([scene.timeline.entries(), views.map((view) => dump(view, { objects: true }))]);
    for (const uses of ['secret', 'nothing', 'secret', 'what it had'] as const) {
      use(uses);
      expect([uses, views.map((view) => view.lister.list().length)]).toEqual([uses, [1, 1]]);
      expect([uses, seen()]).toEqual([uses, expect.not.stringContaining('aHVudGVy')]);
    }
    expect(JSON.stringify(views.map((view) => view.lister.list()))).toContain('aHVudGVy');
    for (const view of views) void view.stop();
  });

  it('is masked over a source whose resource is called otherwise', () => {
    const { views, use } = program('credentials');
    use('secret');
    expect(JSON.stringify(views.map((view) => dump(view, { objects: true })))).not.toContain('aHVudGVy');
    for (const view of views) void view.stop();
  });
});

describe('messages about Secrets', () => {
  const scene = new LiveScene({ title: 'a program', secrets: false, timelineBytes: 1_000_000 });
  afterEach(() => scene.stop());

  it.each(['secrets', 'credentials'])(
    'are masked where functions of the user fail: they may quote what they were given (%s)',
    async (resource) => {
      const { collection } = sourceOf<Secret>(resource, {
        ...{ kind: 'Secret', metadata: { name: 's', namespace: 'default', uid: 's' } },
        data: { password: 'hunter2' },
      });
      const quiet = { logger: { warn: () => undefined } };
      const parsed = (): object => JSON.parse(collection.indexer.getByKey('default/s')?.data?.['password'] ?? '') as object;
      const view = derive(collection, () => parsed(), quiet);
      const running = new Subscription();
      const failed = new Promise<void>((resolve) => {
        collection.error$.subscribe();
        collection.process(() => Promise.resolve(parsed())).subscribe();
        const loop = { name: 'loop', sources: { secrets: collection.resource$ }, reconcile: () => Promise.resolve(parsed()) };
        // Without caches, nobody knows what it reads.
        running.add(reconcile({ ...loop, name: 'bare' }).subscribe());
        running.add(reconcile({ ...loop, caches: [collection] }).subscribe(() => resolve()));
      });
      view.start();
      await failed;
      const [told, warnings] = [dump(), diagnose()].map((each) => JSON.stringify(each));
      const explained = scene.things().map(({ id }) => scene.explain(id, 'default/s'));
      expect(JSON.stringify([told, warnings, explained])).not.toContain('hunter2');
      expect(told?.match(/masked: it may quote a Secret/g)).toHaveLength(4);
      running.unsubscribe();
      await view.stop();
      await collection.stop();
    },
  );
});
