import { describe, expect, it } from '@jest/globals';
import { Intake, type Scope } from '../../../src/delta/index/intake.js';
import { type Pod, pod } from '../pods.js';

interface Cache {
  readonly keys: readonly string[];
  readonly declared?: readonly string[];
  readonly inherited?: readonly string[];
}

/** An intake of which only the scopes are of interest. */
class Scopes extends Intake<Pod, Pod, never> {
  private readonly cache: Cache;

  constructor(cache: Cache) {
    super(cache.declared, cache.inherited ?? []);
    this.cache = cache;
  }

  protected override presentKeys(): readonly string[] {
    return this.cache.keys;
  }
  protected override keyOf(): undefined {}
  protected override collect(): void {}
  protected override drop(): void {}
  protected override publish(): undefined {}
  protected override change(): undefined {}
  protected override reach(): undefined {}
}

/** Lists a scope with these keys. */
function list(scopes: Scopes, name: string, keys: readonly string[]): Scope<Pod> {
  const scope = scopes['scopeOf'](name);
  const half = scopes['beginList'](scope, '');
  for (const key of keys) half.values.set(key, pod(key, '1'));
  scopes['settle'](scope, half, '5');
  return scope;
}

describe('Scopes', () => {
  it('records who holds what only while there are several', () => {
    const scopes = new Scopes({ keys: ['a', 'b'] });
    const first = list(scopes, 'one', ['a', 'b']);
    expect(first.owned).toBeUndefined();
    const second = scopes['scopeOf']('two');
    expect([first.owned, second.owned]).toEqual([new Set(['a', 'b']), undefined]);
    scopes['scopeOf']('three');
    expect(second.owned).toBeUndefined();
    expect(scopes['isHeldElsewhere'](second, 'a')).toBe(true);
    expect([scopes['isHeldElsewhere'](first, 'a'), scopes['isHeldElsewhere'](second, 'z')]).toEqual([false, false]);
  });

  it('finds what is gone of the only scope in the whole cache', () => {
    const scopes = new Scopes({ keys: ['a', 'b'] });
    const scope = scopes['scopeOf']('');
    const half = scopes['beginList'](scope, '');
    half.values.set('a', pod('a', '1'));
    expect(scopes['vanished'](scope, half, 1)).toEqual(['b']);
    half.values.set('b', pod('b', '1'));
    expect(scopes['vanished'](scope, half, 2)).toEqual([]);
    expect(scopes['vanished'](scope, half)).toEqual([]);
  });

  it('finds what is gone of one scope among its own keys, and what was there at first with the last scope', () => {
    const scopes = new Scopes({ keys: ['a', 'b', 'z'], declared: ['one', 'two'], inherited: ['z'] });
    const begin = (name: string): readonly string[] => {
      const scope = scopes['scopeOf'](name);
      return scopes['vanished'](scope, scopes['beginList'](scope, ''));
    };
    expect(begin('one')).toEqual([]);
    list(scopes, 'one', ['a']);
    expect([begin('one'), begin('two')]).toEqual([['a'], ['z']]);
  });

  it('forgets a scope that is no more declared once its last list is complete', () => {
    const declared = ['one', 'two'];
    const scopes = new Scopes({ keys: [], declared });
    list(scopes, 'one', []);
    const gone = list(scopes, 'two', []);
    expect(scopes['scopeOf']('two')).toBe(gone);
    declared.pop();
    list(scopes, 'two', []);
    expect(scopes['scopeOf']('two')).not.toBe(gone);
    expect(scopes['allReady']()).toBe(true);
  });
});
