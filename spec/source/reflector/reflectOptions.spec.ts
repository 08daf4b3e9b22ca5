import { describe, expect, it } from '@jest/globals';
import { asapScheduler, NEVER } from 'rxjs';
import { monotonicScheduler } from '../../../src/rx/schedulerOf.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListerWatcher } from '../../../src/api/listerWatcher.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { type ReflectOptions, reflectSettings } from '../../../src/source/reflector/reflectOptions.js';

const silent: ListerWatcher<KubernetesObject> = { list: () => NEVER, watch: () => NEVER, watchList: false };

describe('reflectSettings', () => {
  it('has the defaults of client-go where it has the constant (RX-06, RW-02)', () => {
    const { onError, ...settings } = reflectSettings({});
    expect(onError).toBeInstanceOf(Function);
    expect(settings).toEqual({
      pageSize: undefined,
      listStrategy: 'auto',
      listSemantics: 'any',
      idleTimeoutMs: 75_000,
      listTimeoutMs: 60_000,
      backoff: { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1 },
      connectionRetries: 50,
      healthyWatchMs: 30_000,
      veryShortWatchMs: 1000,
      watchTimeoutMs: 300_000,
      watchListFirstFrameMs: 2000,
      watchListMarkerMs: 10_000,
      watchListMemoryMs: 3_600_000,
      watchListRefusals: undefined,
      relistPeriodMs: Infinity,
      relistBesideWatch: true,
      trace: undefined,
      name: undefined,
      scheduler: monotonicScheduler,
      random: expect.any(Function),
    });
  });

  it('keeps what is given', () => {
    const given = {
      pageSize: 0,
      listStrategy: 'list' as const,
      listSemantics: { exact: '7' },
      idleTimeoutMs: Infinity,
      listTimeoutMs: 1,
      backoff: { initialMs: 1, maxMs: 2, factor: 1, jitter: 0 },
      watchTimeoutMs: 5_000,
      relistPeriodMs: 60_000,
      name: 'pods',
      trace: () => undefined,
      scheduler: asapScheduler,
      random: () => 0.5,
      watchListRefusals: new Map<string, number>(),
      onError: () => 'stop' as const,
    };
    const { random, ...kept } = reflectSettings(given);
    expect({ ...kept, random: random() }).toMatchObject({ ...given, random: 0.5 });
  });

  it('draws a number of its own where the given function returns none', () => {
    const drawn = reflectSettings({ random: () => NaN }).random();
    expect(drawn >= 0 && drawn < 1).toBe(true);
  });

  it('raises the longest wait to the first one where only that is given', () => {
    expect(reflectSettings({ backoff: { initialMs: 60_000 } }).backoff).toMatchObject({ initialMs: 60_000, maxMs: 60_000 });
  });

  it.each<[unknown, string]>([
    [{ pagesize: 5 }, 'Unknown option `pagesize` of `reflect`; did you mean `pageSize`?'],
    [{ pageSize: -1 }, 'Expected `pageSize` of `reflect` to be an integer >= 0, got -1'],
    [{ pageSize: 1.5 }, 'Expected `pageSize` of `reflect` to be an integer >= 0, got 1.5'],
    [{ listStrategy: 'stream' }, "Expected `listStrategy` of `reflect` to be 'auto', 'list' or 'watchList', got \"stream\""],
    [
      { listSemantics: 'newest' },
      "Expected `listSemantics` of `reflect` to be 'any', 'mostRecent', { notOlderThan: version } or { exact: version }, got \"newest\"",
    ],
    [{ listSemantics: { exact: '0' } }, 'Expected `listSemantics` of `reflect` to be'],
    [{ listSemantics: { exact: '5', notOlderThan: '5' } }, 'Expected `listSemantics` of `reflect` to be'],
    [{ listSemantics: { notOlderThan: 7 } }, 'Expected `listSemantics` of `reflect` to be'],
    [{ listSemantics: { notOlderThan: '' } }, 'Expected `listSemantics` of `reflect` to be'],
    [{ listSemantics: null }, 'Expected `listSemantics` of `reflect` to be'],
    [
      { listSemantics: { exact: '7' }, listStrategy: 'watchList' },
      "Expected `listStrategy` of `reflect` to be 'auto' or 'list', as `listSemantics` asks for an exact version",
    ],
    [{ idleTimeoutMs: 0 }, 'Expected `idleTimeoutMs` of `reflect` to be a number of milliseconds >= 1 or Infinity, got 0'],
    [{ listTimeoutMs: NaN }, 'Expected `listTimeoutMs` of `reflect` to be a number of milliseconds >= 1 or Infinity, got NaN'],
    [{ relistPeriodMs: -5 }, 'Expected `relistPeriodMs` of `reflect` to be a number of milliseconds >= 0 or Infinity, got -5'],
    [{ watchTimeoutMs: 999 }, 'Expected `watchTimeoutMs` of `reflect` to be a finite number of milliseconds >= 1000, got 999'],
    [{ backoff: 5 }, 'Expected `backoff` of `reflect` to be an object, got 5'],
    [{ backoff: { initial: 5 } }, 'Unknown option `initial` of `reflect.backoff`'],
    [{ backoff: { initialMs: 0 } }, 'Expected `initialMs` of `reflect.backoff` to be a finite number of milliseconds >= 1, got 0'],
    [{ backoff: { maxMs: 500 } }, 'Expected `maxMs` of `reflect.backoff` to be >= `initialMs` (800), got 500'],
    [{ backoff: { maxMs: Infinity } }, 'Expected `maxMs` of `reflect.backoff` to be a finite number of milliseconds >= 1, got Infinity'],
    [{ backoff: { factor: 0.5 } }, 'Expected `factor` of `reflect.backoff` to be a finite number >= 1, got 0.5'],
    [{ backoff: { jitter: '1' } }, 'Expected `jitter` of `reflect.backoff` to be a finite number >= 0, got "1"'],
    [{ name: '' }, 'Expected `name` of `reflect` to be a non-empty string, got ""'],
    [{ trace: {} }, 'Expected `trace` of `reflect` to be a function, got an object'],
    [{ onError: 'retry' }, 'Expected `onError` of `reflect` to be a function, got "retry"'],
    [{ random: 0.5 }, 'Expected `random` of `reflect` to be a function, got 0.5'],
    [{ scheduler: {} }, 'Expected `scheduler` of `reflect` to be an RxJS scheduler, got an object'],
    [{ watchListRefusals: {} }, 'Expected `watchListRefusals` of `reflect` to be a Map, got an object'],
  ])('refuses %j', (options, message) => {
    expect(() => reflect(silent, options as ReflectOptions)).toThrow(TypeError);
    expect(() => reflect(silent, options as ReflectOptions)).toThrow(message);
  });

  it('refuses to stream lists from a source that cannot', () => {
    expect(() => reflect(silent, { listStrategy: 'watchList' })).toThrow(TypeError);
  });
});
