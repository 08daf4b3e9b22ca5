import { describe, expect, it } from '@jest/globals';
import { type Scope, Scopes } from '../../../src/delta/index/scopes.js';
import { type Pod, pod } from '../pods.js';

interface Cache {
  readonly keys: readonly string[];
  readonly declared?: readonly string[];
  readonly inherited?: readonly string[];
}

function scopesOf({ keys, declared, inherited = [] }: Cache): Scopes<Pod> {
  return new Scopes<Pod>({ declared, cachedKeys: () => keys, inherited: new Set(inherited), transformed: false });
}

/** Lists a scope with these keys. */
function list(scopes: Scopes<Pod>, name: string, keys: readonly string[]): Scope<Pod> {
  const scope = scopes.of(name);
  const half = scopes.begin(scope, '');
  for (const key of keys) half.values.set(key, pod(key, '1'));
  scopes.settle(scope, half, '5');
  return scope;
}

describe('Scopes', () => {
  it('records who holds what only while there are several', () => {
    const scopes = scopesOf({ keys: ['a', 'b'] });
    const first = list(scopes, 'one', ['a', 'b']);
    expect(first.owned).toBeUndefined();
    const second = scopes.of('two');
    expect([first.owned, second.owned]).toEqual([new Set(['a', 'b']), undefined]);
    scopes.of('three');
    expect(second.owned).toBeUndefined();
    expect(scopes.isHeldElsewhere(second, 'a')).toBe(true);
    expect([scopes.isHeldElsewhere(first, 'a'), scopes.isHeldElsewhere(second, 'z')]).toEqual([false, false]);
  });

  it('finds what is gone of the only scope in the whole cache', () => {
    const scopes = scopesOf({ keys: ['a', 'b'] });
    const scope = scopes.of('');
    const half = scopes.begin(scope, '');
    half.values.set('a', pod('a', '1'));
    expect(scopes.vanished(scope, half, 1)).toEqual(['b']);
    half.values.set('b', pod('b', '1'));
    expect(scopes.vanished(scope, half, 2)).toEqual([]);
    expect(scopes.vanished(scope, half)).toEqual([]);
  });

  it('finds what is gone of one scope among its own keys, and what was there at first with the last scope', () => {
    const scopes = scopesOf({ keys: ['a', 'b', 'z'], declared: ['one', 'two'], inherited: ['z'] });
    const begin = (name: string): readonly string[] => {
      const scope = scopes.of(name);
      return scopes.vanished(scope, scopes.begin(scope, ''));
    };
    expect(begin('one')).toEqual([]);
    list(scopes, 'one', ['a']);
    expect([begin('one'), begin('two')]).toEqual([['a'], ['z']]);
  });

  it('forgets a scope that is no more declared once its last list is complete', () => {
    const declared = ['one', 'two'];
    const scopes = scopesOf({ keys: [], declared });
    list(scopes, 'one', []);
    const gone = list(scopes, 'two', []);
    expect(scopes.of('two')).toBe(gone);
    declared.pop();
    list(scopes, 'two', []);
    expect(scopes.of('two')).not.toBe(gone);
    expect(scopes.allReady()).toBe(true);
  });
});
