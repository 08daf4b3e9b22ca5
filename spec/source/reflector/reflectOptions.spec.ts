import { describe, expect, it } from '@jest/globals';
import { asyncScheduler, NEVER } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListerWatcher } from '../../../src/api/listerWatcher.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { reflectSettings, type ReflectOptions } from '../../../src/source/reflector/reflectOptions.js';

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
      healthyWatchMs: 30_000,
      veryShortWatchMs: 1000,
      watchTimeoutSeconds: 300,
      watchListFirstFrameMs: 2000,
      watchListMarkerMs: 10_000,
      watchListMemoryMs: 3_600_000,
      watchListRefusals: undefined,
      relistPeriodMs: 0,
      internalErrorRetryMs: 0,
      trace: undefined,
      name: undefined,
      scheduler: asyncScheduler,
      random: Math.random,
    });
  });

  it('keeps what is given', () => {
    const given = {
      pageSize: 0,
      listStrategy: 'list' as const,
      listSemantics: { exact: '7' },
      idleTimeoutMs: Infinity,
      backoff: { initialMs: 1, maxMs: 2, factor: 1, jitter: 0 },
      relistPeriodMs: 60_000,
      watchListRefusals: new Map<string, number>(),
      onError: () => 'stop' as const,
    };
    expect(reflectSettings(given)).toMatchObject(given);
  });

  it('raises the longest wait to the first one where only that is given', () => {
    expect(reflectSettings({ backoff: { initialMs: 60_000 } }).backoff).toMatchObject({ initialMs: 60_000, maxMs: 60_000 });
  });

  it.each<[unknown, string]>([
    [{ pageSize: -1 }, 'Expected `pageSize` to be an integer >= 0, got -1'],
    [{ pageSize: 1.5 }, 'Expected `pageSize` to be an integer >= 0, got 1.5'],
    [{ listStrategy: 'stream' }, "Expected `listStrategy` to be 'auto', 'list' or 'watchList', got \"stream\""],
    [
      { listSemantics: 'newest' },
      "Expected `listSemantics` to be 'any', 'mostRecent', { notOlderThan: version } or { exact: version }, got \"newest\"",
    ],
    [{ listSemantics: { exact: '0' } }, 'Expected `listSemantics` to be'],
    [{ listSemantics: { notOlderThan: 7 } }, 'Expected `listSemantics` to be'],
    [
      { listSemantics: { exact: '7' }, listStrategy: 'watchList' },
      "Expected `listStrategy` to be 'auto' or 'list', as `listSemantics` asks for an exact version",
    ],
    [{ idleTimeoutMs: 0 }, 'Expected `idleTimeoutMs` to be a number of milliseconds >= 1, got 0'],
    [{ listTimeoutMs: NaN }, 'Expected `listTimeoutMs` to be a number of milliseconds >= 1, got NaN'],
    [{ relistPeriodMs: -5 }, 'Expected `relistPeriodMs` to be a number of milliseconds >= 0, got -5'],
    [{ watchTimeoutSeconds: 0 }, 'Expected `watchTimeoutSeconds` to be an integer >= 1, got 0'],
    [{ backoff: { initialMs: 0 } }, 'Expected `backoff.initialMs` to be a number of milliseconds >= 1, got 0'],
    [{ backoff: { maxMs: 500 } }, 'Expected `backoff.maxMs` to be finite and >= `backoff.initialMs` (800), got 500'],
    [{ backoff: { maxMs: Infinity } }, 'Expected `backoff.maxMs` to be finite and >= `backoff.initialMs` (800), got Infinity'],
    [{ backoff: { factor: 0.5 } }, 'Expected `backoff.factor` to be a number >= 1, got 0.5'],
    [{ backoff: { jitter: '1' } }, 'Expected `backoff.jitter` to be a number >= 0, got "1"'],
    [{ internalErrorRetryMs: -1 }, 'Expected `internalErrorRetryMs` to be a number of milliseconds >= 0, got -1'],
    [{ name: '' }, 'Expected `name` to be a non-empty string, got ""'],
    [{ trace: {} }, 'Expected `trace` to be a function, got {}'],
    [{ onError: 'retry' }, 'Expected `onError` to be a function, got "retry"'],
    [{ random: 0.5 }, 'Expected `random` to be a function, got 0.5'],
    [{ scheduler: {} }, 'Expected `scheduler` to be an RxJS scheduler, got {}'],
    [{ watchListRefusals: {} }, 'Expected `watchListRefusals` to be a Map, got {}'],
  ])('refuses %j', (options, message) => {
    expect(() => reflect(silent, options as ReflectOptions)).toThrow(TypeError);
    expect(() => reflect(silent, options as ReflectOptions)).toThrow(message);
  });

  it('refuses to stream lists from a source that cannot', () => {
    expect(() => reflect(silent, { listStrategy: 'watchList' })).toThrow(TypeError);
  });
});
