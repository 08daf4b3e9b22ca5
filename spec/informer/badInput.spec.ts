import { describe, expect, it } from '@jest/globals';
import { NEVER, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../src/api/resources.js';
import { sharding } from '../../src/informer/parts/sharding.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { createObjectInformer } from '../../src/informer/composed/createObjectInformer.js';
import { added, list, type Pod, pod } from '../delta/pods.js';
import { fakeClient } from './fakeClient.js';
import { collect, type Scripted, scripted } from './scripted.js';

const { pods } = resources.core.v1;

/** The state that a wrong call must not change. */
const stateOf = ({ informer }: Scripted<Pod>) => ({
  indexes: Object.keys(informer.indexer.getIndexers()),
  content: informer.indexer.listKeys(),
  health: { ...informer.health(), since: 0 },
});

describe('a wrong call to an informer', () => {
  it.each<[string, (informer: Scripted<Pod>['informer']) => unknown, string]>([
    [
      'an index whose name is in use, beside a new one',
      (informer) => informer.addIndexers({ fresh: () => [], namespace: () => [] }),
      'Expected new index names in `indexers`, got "namespace", already in use',
    ],
    [
      'an index that is no function',
      (informer) => informer.addIndexers({ fresh: 'x' as never }),
      'Expected the index "fresh" to be a function, got "x"',
    ],
    [
      'an unknown index',
      (informer) => informer.indexer.byIndex('nope', 'x'),
      'Expected `indexName` to be the name of an index (existing: "namespace"), got "nope"',
    ],
    [
      'an object in place of the name of an index',
      (informer) => informer.indexer.byIndex(pod('a', '1') as never, 'x'),
      'Expected `indexName` to be the name of an index (existing: "namespace"), got an object',
    ],
    [
      'an unknown index of the lister',
      (informer) => informer.lister.byIndex('nope', 'x'),
      'Expected `indexName` to be the name of an index (existing: "namespace"), got "nope"',
    ],
    [
      'a bad selector',
      (informer) => informer.lister.list('a=b=c'),
      "Unable to parse the label selector \"a=b=c\": found '=', expected ',' or the end",
    ],
    [
      'a handler that is a function',
      (informer) => informer.addEventHandler((() => undefined) as never),
      'Expected the handler of `addEventHandler` to be an object with onAdd, onUpdate or onDelete, got a function',
    ],
    [
      'a handler that is a list',
      (informer) => informer.addEventHandler([] as never),
      'Expected the handler of `addEventHandler` to be an object with onAdd, onUpdate or onDelete, got an empty list',
    ],
    [
      'a handler without a function where one belongs',
      (informer) => informer.addEventHandler({ onAdd: 'x' as never }),
      'Expected `onAdd` of `addEventHandler` to be a function, got "x"',
    ],
    [
      'a name of a handler that is none',
      (informer) => informer.addEventHandler({}, { name: '' }),
      'Expected `name` of `addEventHandler` to be a non-empty string, got ""',
    ],
    [
      'a negative resync period of a handler',
      (informer) => informer.addEventHandler({}, { resyncPeriodMs: -1 }),
      'Expected `resyncPeriodMs` of `addEventHandler` to be a number of milliseconds >= 0 or Infinity, got -1',
    ],
    [
      'a negative resync period of a subscriber',
      (informer) => informer.events({ resyncPeriodMs: -1 }),
      'Expected `resyncPeriodMs` of `events` to be a number of milliseconds >= 0 or Infinity, got -1',
    ],
  ])('throws and changes nothing: %s', (_, call, message) => {
    const played = scripted({ scheduler: new VirtualTimeScheduler() });
    const { informer, send } = played;
    const { seen } = collect(informer.resource$);
    send(...list('5', [pod('a', '1')]));
    const before = stateOf(played);
    expect(() => call(informer)).toThrow(new TypeError(message));
    expect(stateOf(played)).toEqual(before);
    expect(seen).toEqual(['+default/a@1 initial', 'synced@5']);
  });

  it.each(['resyncPeriodMs', 'relistPeriodMs', 'idleGraceMs', 'idleTimeoutMs'])('refuses a negative %s', (name) => {
    expect(() => createInformer(fakeClient(new VirtualTimeScheduler()), pods, { [name]: -1 })).toThrow(
      new RegExp(`^Expected \`${name}\` of \`createInformer\` to be a number of milliseconds >= [01] or Infinity, got -1$`),
    );
  });

  it('refuses a resource and scopes of source events that are none', () => {
    expect(() => createInformer(NEVER, { resource: 5 as never })).toThrow(
      new TypeError('Expected `resource` of `createInformer` to be a string, got 5'),
    );
    expect(() => createInformer(NEVER, { scopes: 5 as never })).toThrow(
      new TypeError('Expected `scopes` of `createInformer` to be a list of strings, got 5'),
    );
  });

  it.each([undefined, 'metadata.uid', 5])('refuses a shard by %p: all objects would have one slot', (by) => {
    const shard = { by, shard$: NEVER } as never;
    expect(() => sharding(shard)).toThrow(
      'Expected `shard` of `sharding` to be a shard by uid or namespace, as `joinShards` returns it, got',
    );
  });

  it('refuses names with too many slashes, which no object of a client has', () => {
    const { lister } = createInformer(fakeClient(new VirtualTimeScheduler()), pods);
    const calls = [() => lister.get('a/b/c'), () => lister.getOrThrow('a/b/c'), () => lister.namespace('a').get('b/c')];
    for (const call of calls) expect(call).toThrow('Expected `key` to be "name" or "namespace/name", got "a/b/c"');
    const ofEvents = scripted().informer.lister;
    expect(ofEvents.get('a/b/c')).toBeUndefined();
  });

  it('refuses a name of an object that has a slash', () => {
    expect(() => createObjectInformer(fakeClient(new VirtualTimeScheduler()), pods, 'b/c', { namespace: 'a' })).toThrow(
      new TypeError('Expected `name` to be the name of an object, got "b/c"'),
    );
  });

  it.each([undefined, null, 'x'])(
    'keeps the last good value where the transform returns %s, and says which transform it was',
    (nothing) => {
      const transform = (object: Pod) => (object.value === 'bad' ? (nothing as never) : object);
      const { informer, send } = scripted({ transform });
      const messages: string[] = [];
      informer.error$.subscribe(({ code, message }) => messages.push(`${code} ${message}`));
      const { seen } = collect(informer.resource$);
      send(...list('5', [pod('a', '1')]), ...list('7', [pod('a', '6', { value: 'bad' })]));
      expect(seen).toEqual(['+default/a@1 initial', 'synced@5', 'synced@7']);
      expect(informer.health().degraded).toEqual(['default/a']);
      const got = nothing === null ? 'null' : typeof nothing;
      expect(messages).toEqual([
        `ERR_TRANSFORM The transform of pods "default/a" failed, the last good value is kept: Expected \`transform\` to return an object, got ${got}`,
      ]);
    },
  );

  const selfCaused = new Error('in a circle');
  selfCaused.cause = selfCaused;
  const unreadable = Object.defineProperty(new Error(), 'message', { get: () => (null as never)[0] });
  it.each<[string, unknown, string]>([
    ['without a text', Object.create(null), 'a thrown object that has no text'],
    ['whose message cannot be read', unreadable, 'a thrown object that has no text'],
    ['that is its own cause', selfCaused, 'in a circle'],
  ])('reports a thrown value %s, and loses no change', (_, thrown, text) => {
    const throwBad = ({ value }: Pod): void => {
      if (value === 'bad') throw thrown;
    };
    const transform = (object: Pod): Pod => (object.metadata.name === 'b' && throwBad(object), object);
    const lines: string[] = [];
    const { informer, send } = scripted({ transform, logger: { warn: (line) => lines.push(line) } });
    informer.addEventHandler({ onAdd: throwBad });
    const messages: string[] = [];
    informer.error$.subscribe(({ code, message }) => messages.push(`${code} ${message.slice(message.lastIndexOf(': ') + 2)}`));
    const { seen } = collect(informer.resource$);
    send(...list('5', [pod('a', '1', { value: 'bad' })]), added(pod('b', '6', { value: 'bad' })), added(pod('c', '7')));
    expect(seen).toEqual(['+default/a@1 initial', 'synced@5', '+default/c@7']);
    expect(messages).toEqual([`ERR_HANDLER ${text}`, `ERR_TRANSFORM ${text}`]);
    expect(lines).toHaveLength(2);
  });
});
