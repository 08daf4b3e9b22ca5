import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ReplaySubject, Subscription } from 'rxjs';
import { createInformer, type KubernetesObject } from 'rx-informer';
import { lastApplied, type Running } from 'rx-informer/internal';
import type { SourceEvent } from 'rx-informer/pipeline';
import { reconcile } from '@rx-informer/controller';
import { derive, keep, objectsByIndex, type View } from '@rx-informer/views';
import { runs } from '../../../spec/tier.js';
import { dump } from '../src/dump.js';
import { undone } from '../src/differences.js';
import { type Masking, maskingOf } from '../src/masking.js';
import { LiveScene } from '../src/scene.js';
import { diagnose } from '../src/warnings/diagnose.js';

const pod = { kind: 'Pod', metadata: { name: 'a' }, spec: { nodeName: 'n' } };
const secret = { kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVy' } };
const informerOf = (resource: string, selection: string): Masking =>
  maskingOf({ figures: () => ({ kind: 'informer', resource, selection }) } as unknown as Running);
const maskings = {
  'a client that reads pods': informerOf('pods', 'all'),
  'a source of pods, as it says': informerOf('pods', ''),
  'a client that reads Secrets': informerOf('secrets', 'all'),
  'a view': maskingOf({ figures: () => ({ kind: 'view' }) } as unknown as Running),
};

/** A part of an object that differs between two versions. */
class Change {
  readonly versions: readonly [unknown, unknown];

  constructor(versions: readonly [unknown, unknown]) {
    this.versions = versions;
  }
}

function versionOf(value: unknown, at: 0 | 1): unknown {
  if (value instanceof Change) return versionOf(value.versions[at], at);
  if (Array.isArray(value)) return value.map((each: unknown) => versionOf(each, at) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, each]) => [name, versionOf(each, at)] as const);
  return Object.fromEntries(parts.filter(([, each]) => each !== undefined));
}

const names = ['kind', 'metadata', 'annotations', 'data', 'stringData', 'env', 'value', 'type', 'other', '0', 'constructor', lastApplied];
const { tree } = fc.letrec((tie) => ({
  scalar: fc.constantFrom(null, 0, 'x', 'y', '{"copy":1}', 'Pod', 'Secret'),
  list: fc.array(tie('tree'), { maxLength: 3 }),
  record: fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 5, noNullPrototype: true }),
  change: fc.tuple(fc.option(tie('tree'), { nil: undefined }), fc.option(tie('tree'), { nil: undefined })).map((both) => new Change(both)),
  tree: fc.oneof({ maxDepth: 6 }, tie('scalar'), tie('list'), { arbitrary: tie('record'), weight: 4 }, tie('change')),
}));
const object = fc.record(
  {
    kind: fc.constantFrom('Pod', 'Secret'),
    metadata: fc.record({ annotations: tree }),
    data: tree,
    stringData: tree,
    env: tree,
    spec: tree,
  },
  { requiredKeys: [] },
);

function partAt(path: readonly string[], value: unknown): unknown {
  return path.reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>>)[name], value);
}

describe('maskingOf', () => {
  it.each(Object.entries(maskings))('has differences of which nothing is shown that the masked versions do not show: %s', (_, masking) => {
    fc.assert(
      fc.property(object, (both) => {
        const [before, after] = [versionOf(both, 0), versionOf(both, 1)];
        const differences = masking.differences(before, after);
        const [shownBefore, shownAfter] = [masking.shown(before), masking.shown(after)];
        const seen = differences.map(({ path, before: was, after: is }) => ({
          path,
          ...(was !== undefined && { before: partAt(path, shownBefore) }),
          ...(is !== undefined && { after: partAt(path, shownAfter) }),
        }));
        expect(differences).toEqual(seen);
        expect(undone(shownAfter, differences)).toEqual(shownBefore);
      }),
      { numRuns: runs(4_000) },
    );
  });

  it('masks a Secret that a transform has put into an object of another kind', () => {
    const { shown, differences } = maskings['a client that reads pods'];
    const withSecret = { ...pod, joined: [{ of: secret }] };
    const changed = { ...pod, joined: [{ of: { ...secret, data: { password: 'aHVudGVyMg==' } } }] };
    expect(JSON.stringify([shown(withSecret), differences(withSecret, changed)])).not.toContain('aHVudGVy');
    expect(differences(withSecret, changed)).toEqual([
      { path: ['joined', '0', 'of', 'data', 'password'], before: '(masked)', after: '(masked)' },
    ]);
  });

  it('masks a copy of an object wherever it is', () => {
    const of = (copy: string): object => ({ ...pod, spec: { podAnnotations: { [lastApplied]: copy } } });
    const { shown, differences } = maskings['a client that reads pods'];
    expect(shown(of('{"a":1}'))).toEqual(of('(masked)'));
    expect(differences(of('{"a":1}'), of('{"a":2}'))).toEqual([
      { path: ['spec', 'podAnnotations', lastApplied], before: '(masked)', after: '(masked)' },
    ]);
  });

  it('names no field that a transform has put into a Secret', () => {
    const withField = (password: string): object => ({ ...secret, made: { [password]: 1 } });
    expect(maskings['a client that reads Secrets'].differences(withField('hunter1'), withField('hunter2'))).toEqual([]);
  });

  it('masks the values of environment variables, in whole objects and in parts', () => {
    const env = (value: string): readonly object[] => [
      { name: 'PASSWORD', value },
      { name: 'OTHER', valueFrom: { secretKeyRef: { name: 's', key: 'value' } } },
    ];
    const of = (some: readonly object[]): object => ({
      ...pod,
      spec: { containers: [{ env: some, resizePolicy: [{ value: 'shown' }] }] },
    });
    const { shown, differences } = maskings['a client that reads pods'];
    expect(shown(of(env('hunter1')))).toEqual(of(env('(masked)')));
    const path = ['spec', 'containers', '0', 'env'];
    expect(differences(of(env('hunter1')), of(env('hunter2')))).toEqual([
      { path: [...path, '0', 'value'], before: '(masked)', after: '(masked)' },
    ]);
    expect(differences(of([]), of(env('hunter1')))).toEqual([{ path, before: [], after: env('(masked)') }]);
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

  it('are masked where a view has looked for one by an index of Secrets', async () => {
    const { collection } = sourceOf<Secret>('secrets', {
      ...{ kind: 'Secret', metadata: { name: 's', namespace: 'default', uid: 's' } },
      data: { password: 'hunter2=' },
    });
    collection.addIndexers({ password: ({ data }) => Object.values(data ?? {}) });
    const view = derive(collection, (_, reads) => reads.byIndex(collection, 'password', 'hunter2=').length);
    view.start();
    await view.whenSynced();
    const explained = JSON.stringify(scene.things().map(({ id }) => scene.explain(id, 'default/s')));
    expect(explained).not.toContain('hunter2');
    expect(explained).toContain('"read":"index password=(masked)"');
    await view.stop();
    await collection.stop();
  });

  it('have no name of a view that is what an index of Secrets has under a value', async () => {
    const { collection } = sourceOf<Secret>('secrets', { ...secret, metadata: { name: 's', namespace: 'default', uid: 's' } });
    collection.addIndexers({ password: ({ data }) => Object.values(data ?? {}) });
    const [view, other] = ['aHVudGVy', 'aHVudGVyMg=='].map((value) => objectsByIndex(collection, 'password', value));
    view?.start();
    await view?.whenSynced();
    expect(view?.lister.list()).toHaveLength(1);
    expect(JSON.stringify([dump(undefined, { objects: true }), diagnose(), scene.things()])).not.toContain('aHVudGVy');
    expect([view?.name, other?.name]).toEqual(['objectsByIndex(password)(secrets)', 'objectsByIndex(password)(secrets) 2']);
    await view?.stop();
    await collection.stop();
  });

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
