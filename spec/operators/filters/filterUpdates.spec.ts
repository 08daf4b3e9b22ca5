import { describe, expect, it } from '@jest/globals';
import { TestScheduler } from 'rxjs/testing';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ResourceEvent, UpdatedEvent } from '../../../src/api/events.js';
import {
  allOf,
  annotationsChanged,
  anyOf,
  filterUpdates,
  generationChanged,
  labelsChanged,
  noneOf,
  partChanged,
  specChanged,
  statusChanged,
} from '../../../src/operators/filters/filterUpdates.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';

interface Sample extends KubernetesObject {
  readonly spec?: { readonly size: number };
  readonly status?: { readonly phase: string };
}
const object = (generation: number, rest: Partial<Sample> = {}): Sample => ({
  metadata: { name: 'a', generation, resourceVersion: String(generation) },
  ...rest,
});
const update = (oldObject: Sample, next: Sample): UpdatedEvent<Sample> => ({
  type: 'updated',
  key: 'a',
  object: next,
  oldObject,
  resync: false,
  inferred: false,
});

function marbles(run: Parameters<TestScheduler['run']>[0]): void {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(run);
}

describe('filterUpdates', () => {
  const values: Record<string, ResourceEvent<Sample>> = {
    a: { type: 'added', key: 'a', object: object(1), initial: false, inferred: false },
    u: update(object(1), object(2)),
    n: update(object(2), object(2)),
    d: { type: 'deleted', key: 'a', object: object(2), finalStateUnknown: false, inferred: false },
    s: { type: 'synced', resourceVersion: '2', previousResourceVersion: '' },
  };

  it('lets only the updates pass that the predicate is for; adds, deletes and boundaries always pass', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.filterUpdates;
      const source = hot(inputs.source, values);
      const subs = '^-------------!';
      expectObservable(source.pipe(filterUpdates(generationChanged))).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('fails with what the predicate throws', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('--a-u-|', values);
      const failing = filterUpdates<Sample, ResourceEvent<Sample>>(() => {
        throw new Error('no');
      });
      expectObservable(source.pipe(failing)).toBe('--a-#', values, new Error('no'));
    });
  });

  it('drops a change of which no update is left', () => {
    marbles(({ hot, expectObservable }) => {
      const both = changeOf([update(object(1), object(2)), { ...update(object(2), object(2)), key: 'b' }]);
      const source = hot('-n-u-', { n: changeOf([update(object(2), object(2))]), u: both });
      expectObservable(source.pipe(filterUpdates(generationChanged))).toBe('---u-', { u: changeOf([update(object(1), object(2))]) });
    });
  });

  it('refuses what is no predicate', () => {
    expect(() => filterUpdates('spec' as never)).toThrow('Expected `predicate` of `filterUpdates` to be a function, got "spec"');
  });

  it('keeps the selected part up to date', () => {
    checkOperatorLaw({ operator: () => filterUpdates(specChanged), compare: ({ spec }) => spec });
    checkOperatorLaw({ operator: () => filterUpdates(statusChanged), compare: ({ status }) => status });
    checkOperatorLaw({ operator: () => filterUpdates(generationChanged), compare: ({ metadata }) => metadata?.generation });
    checkOperatorLaw({
      operator: () => filterUpdates(anyOf(labelsChanged, specChanged)),
      compare: ({ metadata, spec }) => [metadata?.labels, spec],
    });
  });
});

describe('update predicates', () => {
  it('compare contents, not identities', () => {
    const before = object(1, { spec: { size: 1 }, status: { phase: 'x' } });
    const copy = JSON.parse(JSON.stringify(before)) as Sample;
    const larger: Sample = { ...copy, spec: { size: 2 } };
    const running: Sample = { ...copy, status: { phase: 'y' } };
    expect([specChanged(before, copy), specChanged(before, larger)]).toEqual([false, true]);
    expect([statusChanged(before, copy), statusChanged(before, running)]).toEqual([false, true]);
    expect(partChanged((sample: Sample) => sample.spec?.size)(before, larger)).toBe(true);
  });

  it('see labels and annotations that come, go and change', () => {
    const plain: KubernetesObject = { metadata: { name: 'a' } };
    const labelled: KubernetesObject = { metadata: { name: 'a', labels: { app: 'x' } } };
    const annotated: KubernetesObject = { metadata: { name: 'a', annotations: { app: 'x' } } };
    expect([
      labelsChanged(plain, labelled),
      labelsChanged(labelled, plain),
      labelsChanged(labelled, labelled),
      labelsChanged(plain, annotated),
    ]).toEqual([true, true, false, false]);
    expect([annotationsChanged(plain, annotated), annotationsChanged(annotated, annotated)]).toEqual([true, false]);
  });

  it('go by the resourceVersion where a kind has no generation', () => {
    const one: KubernetesObject = { metadata: { name: 'a', resourceVersion: '1' } };
    const two: KubernetesObject = { metadata: { name: 'a', resourceVersion: '2' } };
    expect(generationChanged(one, two)).toBe(true);
    expect(generationChanged(one, one)).toBe(false);
    // Only one of them has a generation: the version decides as well.
    expect(generationChanged(one, { metadata: { ...one.metadata, generation: 1 } })).toBe(false);
    expect(generationChanged({ metadata: { ...one.metadata, generation: 1 } }, one)).toBe(false);
    // Both have one: the version does not matter.
    expect(generationChanged({ metadata: { ...one.metadata, generation: 1 } }, { metadata: { ...two.metadata, generation: 1 } })).toBe(
      false,
    );
  });

  it('take an object without metadata for one that has nothing', () => {
    const labelled: KubernetesObject = {
      metadata: { generation: 1, resourceVersion: '1', labels: { app: 'x' }, annotations: { app: 'x' } },
    };
    for (const predicate of [generationChanged, labelsChanged, annotationsChanged]) {
      expect([predicate({}, {}), predicate({}, labelled), predicate(labelled, {})]).toEqual([false, true, true]);
    }
  });

  it('combine with allOf, anyOf and noneOf', () => {
    const yes = (): boolean => true;
    const no = (): boolean => false;
    expect([
      allOf(yes, yes)(),
      allOf(yes, no)(),
      allOf()(),
      anyOf(no, yes)(),
      anyOf(no, no)(),
      anyOf()(),
      noneOf(yes, no)(),
      noneOf(no, no)(),
    ]).toEqual([true, false, true, true, false, false, false, true]);
  });

  it.each([
    [() => partChanged(undefined as never), 'Expected `select` of `partChanged` to be a function, got undefined'],
    [() => allOf(undefined as never), 'Expected `predicates` of `allOf` to be a list of functions, got a list of 1'],
    [() => anyOf(undefined as never), 'Expected `predicates` of `anyOf` to be a list of functions, got a list of 1'],
    [() => noneOf(undefined as never), 'Expected `predicates` of `noneOf` to be a list of functions, got a list of 1'],
  ])('refuses what is no function: %s', (make, message) => {
    expect(make).toThrow(new TypeError(message));
  });
});
