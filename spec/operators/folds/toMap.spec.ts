import { describe, expect, it } from '@jest/globals';
import { from, map } from 'rxjs';
import type { ResourceEvent } from '../../../src/api/events/resourceEvent.js';
import { toMap } from '../../../src/operators/folds/toMap.js';
import { toObjects } from '../../../src/operators/folds/toObjects.js';
import { randomHistory, type SampleObject } from '../../../src/testing/fakes/randomHistory.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

const fail = (error: unknown): never => {
  throw error;
};

describe('toMap', () => {
  it('emits after the first synced and after every later change', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.toMap;
      const source = hot(inputs.source, values);
      const subs = '^--------------------!';
      const text = source.pipe(
        toMap(),
        map((objects) => [...objects].map(([key, { metadata }]) => `${key}${metadata?.resourceVersion ?? ''}`).join(' ')),
      );
      expectObservable(text).toBe(outputs.result, { 1: 'a1 b2', 2: 'a3 b2', 3: 'b2', 4: '' });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('shows a relist as one change', () => {
    const added = { ...(values['b'] as ResourceEvent<SampleObject> & { type: 'added' }), inferred: true };
    const deleted = { ...(values['x'] as ResourceEvent<SampleObject> & { type: 'deleted' }), inferred: true, finalStateUnknown: true };
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-s-d-b-s-', { ...values, b: added, d: deleted });
      const keys = source.pipe(
        toMap(),
        map((objects) => [...objects.keys()].join()),
      );
      expectObservable(keys).toBe('---1-----2-', { 1: 'a', 2: 'b' });
    });
  });

  it('never shows a state that the collection was not in', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const history = randomHistory(seed);
      const states = new Set<string>();
      const objects = new Map<string, SampleObject>();
      for (const change of history) {
        for (const event of change) {
          if (event.type === 'deleted') objects.delete(event.key);
          else if (event.type !== 'synced') objects.set(event.key, event.object);
        }
        states.add(
          [...objects.values()]
            .map((object) => object.metadata?.resourceVersion)
            .sort()
            .join(),
        );
      }
      const shown: string[] = [];
      from(history.flat())
        .pipe(
          toMap(),
          map((map) =>
            [...map.values()]
              .map((object) => object.metadata?.resourceVersion)
              .sort()
              .join(),
          ),
        )
        .subscribe({ next: (state) => shown.push(state), error: fail });
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.filter((state) => !states.has(state))).toEqual([]);
    }
  });
});

describe('toObjects', () => {
  it('emits a new array each time, in the order of first arrival', () => {
    marbles(({ hot, expectObservable }) => {
      const { inputs, outputs } = operatorPictures.toObjects;
      const source = hot(inputs.source, values);
      const versions = source.pipe(
        toObjects(),
        map((objects) => objects.map(({ metadata }) => metadata?.resourceVersion).join()),
      );
      expectObservable(versions).toBe(outputs.result, { 1: '2,1', 2: '4,1' });
    });
  });
});
