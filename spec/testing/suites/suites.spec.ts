import { describe, expect, it } from '@jest/globals';
import { filter, identity, map, mergeMap, type OperatorFunction, take } from 'rxjs';
import type { ResourceChange, SourceEvent } from '../../../src/api/events.js';
import { filterObjects } from '../../../src/operators/filters/filterObjects.js';
import type { SampleObject } from '../../../src/testing/fakes/randomHistory.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { foldSource } from '../../../src/testing/suites/foldSource.js';

const isRunning = ({ status }: SampleObject): boolean => status.phase === 'Running';
type Change = ResourceChange<SampleObject>;

describe('checkOperatorLaw', () => {
  it('accepts what obeys the law, whether it emits changes or events', () => {
    checkOperatorLaw({ operator: () => identity });
    checkOperatorLaw({ operator: () => mergeMap(({ events }: Change) => events) });
    checkOperatorLaw({
      operator: () => filterObjects(isRunning),
      expected: (objects) => new Map([...objects].filter(([, object]) => isRunning(object))),
    });
  });

  it.each([
    ['loses updates', filter(({ events }: Change) => events.some(({ type }) => type !== 'updated')), 'The law is broken for seed 1 after'],
    ['emits twice', mergeMap((change: Change) => [change, change]), 'The output for seed 1 is inconsistent after'],
    [
      'puts deletions last',
      map((change: Change) => ({
        ...change,
        events: [...change.events].sort((a, b) => Number(a.type === 'deleted') - Number(b.type === 'deleted')),
      })),
      'inconsistent',
    ],
    ['emits empty changes', mergeMap((change: Change) => [change, changeOf<SampleObject>([])]), 'a change of the cause watch is empty'],
    [
      'filters events, and forgets what ceases to pass',
      map((change: Change) => ({ ...change, cause: 'list' as const, events: change.events.filter(({ object }) => isRunning(object)) })),
      'The law is broken',
    ],
    [
      'changes a cached object',
      map((change: Change) => {
        for (const event of change.events) Object.assign(event.object.spec, { size: 0 });
        return change;
      }),
      "Cannot assign to read only property 'size'",
    ],
    ['ends', take<Change>(3), 'it has completed'],
    [
      'emits objects',
      mergeMap(({ events }: Change) => events.map(({ object }) => object) as never[]),
      'expected a change or an event, got',
    ],
    ['emits undefined', map((): Change => undefined as never), 'expected a change or an event, got undefined'],
  ])('finds an operator that %s', (_, operator, message) => {
    expect(() => checkOperatorLaw({ operator: () => operator })).toThrow(message);
  });

  it('names the fields that differ, whatever their kind, and not their order', () => {
    const count = (n: (key: string) => unknown) => (objects: ReadonlyMap<string, SampleObject>) =>
      new Map([...objects.keys()].map((key) => [key, n(key)]));
    const counted = map((change: Change) => ({
      ...change,
      events: change.events.map((event) => ({
        ...event,
        ...(event.type === 'updated' && { oldObject: {} }),
        object: { b: NaN, a: new Map([[1, 2n]]) },
      })),
    })) as unknown as OperatorFunction<Change, ResourceChange<unknown>>;
    const law = (expected: () => unknown): void => checkOperatorLaw<unknown>({ operator: () => counted, expected: count(expected) });
    expect(() => law(() => ({ a: new Map([[1, 2n]]), b: NaN }))).not.toThrow();
    expect(() => law(() => ({ a: new Map([[1, 2n]]), b: null }))).toThrow(
      /^The law is broken for seed 1 after change \d+:\n {2}\w+\/\w\.b: expected null, got/,
    );
    expect(() => law(() => ({ a: new Map([[1, 3n]]), b: NaN }))).toThrow('expected 3, got 2');
  });

  it.each([
    [{ operator: filterObjects(isRunning) }, 'Expected `operator()` of `checkOperatorLaw` to be a function, got an object'],
    [{ operator: () => identity, runs: 0 }, 'Expected `runs` of `checkOperatorLaw` to be an integer >= 1, got 0'],
    [{ operator: () => identity, expect: identity }, 'did you mean `expected`?'],
  ])('refuses options that would check nothing or something else: %#', (law, message) => {
    expect(() => checkOperatorLaw(law as never)).toThrow(message);
  });
});

type Event = SourceEvent<KubernetesObject>;

const pod = (name: string, resourceVersion = '1'): KubernetesObject => ({ metadata: { namespace: 'default', name, resourceVersion } });
const init = (scope = ''): Event => ({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
const ready = (scope = ''): Event => ({ type: 'ready', scope, resourceVersion: '9' });
const page = (...items: KubernetesObject[]): Event => ({ type: 'page', items });
const change = (type: 'added' | 'modified' | 'deleted', object: KubernetesObject, scope?: string): Event => ({
  type,
  object,
  resourceVersion: '9',
  ...(scope !== undefined && { scope }),
});

function fold(...events: Event[]): Record<string, string[]> {
  const folded = foldSource<KubernetesObject>();
  for (const event of events) folded.apply(event);
  return Object.fromEntries(
    [...folded.scopes].map(([scope, objects]) => [
      scope,
      [...objects].map(([key, object]) => `${key}@${object.metadata?.resourceVersion ?? ''}`),
    ]),
  );
}

describe('foldSource', () => {
  it('shows a list when it is complete, and then every change', () => {
    expect(fold(init(), page(pod('a'), pod('b')))).toEqual({});
    expect(fold(init(), page(pod('a'), pod('b')), ready())).toEqual({ '': ['default/a@1', 'default/b@1'] });
    expect(fold(init(), page(pod('a'), pod('b')), ready(), change('deleted', pod('a')), change('modified', pod('b', '2')))).toEqual({
      '': ['default/b@2'],
    });
  });

  it('takes changes inside a list into that list', () => {
    expect(fold(init(), change('added', pod('a')), change('added', pod('b')), change('deleted', pod('a')), ready())).toEqual({
      '': ['default/b@1'],
    });
  });

  it('forgets an abandoned list, and keeps the last complete one until the next', () => {
    const complete = [init(), page(pod('a')), ready()];
    expect(fold(...complete, init(), page(pod('b')))).toEqual({ '': ['default/a@1'] });
    expect(fold(...complete, init(), page(pod('b')), init(), page(pod('c')), ready())).toEqual({ '': ['default/c@1'] });
  });

  it('keeps scopes apart', () => {
    expect(
      fold(init('web'), change('added', pod('a'), 'web'), ready('web'), init('db'), ready('db'), change('deleted', pod('a'), 'db')),
    ).toEqual({
      web: ['default/a@1'],
      db: [],
    });
  });
});
