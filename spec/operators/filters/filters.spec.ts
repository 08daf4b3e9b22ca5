import { describe, expect, it } from '@jest/globals';
import { ofType } from '../../../src/operators/filters/filterObjects.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';
import { untilDeleted } from '../../../src/operators/filters/untilDeleted.js';

describe('ofType', () => {
  it('lets events of the named types pass', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.ofType;
      const source = hot(inputs.source, values);
      const subs = '^----------!';
      expectObservable(source.pipe(ofType('deleted', 'synced'))).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes errors on and lets nothing pass when no type is named', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-#', values).pipe(ofType())).toBe('---#');
    });
  });

  it('cuts changes down to the events of the named types, and drops those of which nothing is left', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-A-m-', { ...changes, m: changeOf([eventOf('x'), eventOf('B')]) });
      const none = { ...changes['s'], events: [] };
      expectObservable(source.pipe(ofType('deleted'))).toBe('-s---x-', { s: none, x: changeOf([eventOf('x')]) });
    });
  });

  it('refuses a type that there is not', () => {
    expect(() => ofType('modified' as never)).toThrow(
      "Expected `types` of `ofType` to be 'added', 'updated', 'deleted' or 'synced', got \"modified\"",
    );
  });
});

describe('untilDeleted', () => {
  it('completes with the deletion of the object, and with no other', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.untilDeleted;
      const source = hot(inputs.source, values);
      const subs = '^----------!';
      expectObservable(source.pipe(untilDeleted('a'))).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('completes with the change that has the deletion, also when the object is created again', () => {
    marbles(({ hot, expectObservable }) => {
      const recreated = changeOf([eventOf('x'), eventOf('a')]);
      expectObservable(hot('-s-y-r-A', { ...changes, r: recreated }).pipe(untilDeleted('a'))).toBe('-s-y-(r|)', {
        ...changes,
        r: recreated,
      });
    });
  });

  it('refuses what is no key', () => {
    expect(() => untilDeleted(undefined as never)).toThrow('Expected `key` of `untilDeleted` to be a non-empty string, got undefined');
  });
});
