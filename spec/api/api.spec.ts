import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { config, NEVER, VirtualTimeScheduler } from 'rxjs';
import { brand } from '../../src/api/brand.js';
import {
  compareResourceVersions,
  isOtherObject,
  isRecreated,
  isSameVersion,
  objectIdentity,
  uidOf,
} from '../../src/api/kubernetesObject.js';
import { customResource, type CustomResourceNames, resourcePath } from '../../src/api/resource.js';
import { jsonTextOf } from '../../src/api/jsonTextOf.js';
import { onAbort } from '../../src/api/onAbort.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';
import { SlowCalls } from '../../src/api/clock.js';
import { runs } from '../tier.js';

class OfOneBuild {
  readonly name = 'a';
}
class OfAnother {
  readonly name = 'a';
}
class Other {
  readonly name = 'a';
}
brand(OfOneBuild, 'Branded');
brand(OfAnother, 'Branded');
brand(Other, 'Other');

describe('brand', () => {
  it('has classes of one brand know the instances of each other, and no others', () => {
    expect([new OfOneBuild() instanceof OfAnother, new OfAnother() instanceof OfOneBuild]).toEqual([true, true]);
    expect([new Other(), { name: 'a' }, null, undefined, 'a', () => 'a'].map((value) => value instanceof (OfOneBuild as never))).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });

  it('shows nothing of itself', () => {
    const branded = new OfOneBuild();
    expect(JSON.stringify(branded)).toBe('{"name":"a"}');
    expect([Object.keys(branded), Object.getOwnPropertySymbols(branded)]).toEqual([['name'], []]);
  });
});

describe('compareResourceVersions', () => {
  it('compares decimal numbers of any length', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), fc.bigInt({ min: 0n, max: 2n ** 128n }), (a, b) => {
        expect(Math.sign(compareResourceVersions(String(a), String(b)) ?? NaN)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
    expect(compareResourceVersions('12', '12')).toBe(0);
    expect(compareResourceVersions('9', '10')).toBeLessThan(0);
    expect(compareResourceVersions('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
  });

  it.each(['', 'abc', '1a', '-1', '+1', '1.0', '007', ' 1', '1 ', '1\n', '0x1'])(
    'says nothing about %j, and does not throw (MC-05)',
    (version) => {
      expect(compareResourceVersions(version, '1')).toBeUndefined();
      expect(compareResourceVersions('1', version)).toBeUndefined();
      expect(compareResourceVersions(version, version)).toBeUndefined();
    },
  );
});

const websites: CustomResourceNames = { group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true };

describe('customResource', () => {
  it('describes a resource that offers every verb', () => {
    expect(customResource(websites)).toEqual({
      ...websites,
      singular: 'website',
      verbs: { get: true, list: true, watch: true, create: true, update: true, patch: true, delete: true, deletecollection: true },
    });
  });

  it('keeps the names that are given beyond the necessary ones', () => {
    const resource = customResource({ ...websites, singular: 'site', shortNames: ['ws'], subresources: ['status', 'scale'] });
    expect(resource).toMatchObject({ singular: 'site', shortNames: ['ws'], subresources: ['status', 'scale'] });
  });

  it('makes a resource that has a path', () => {
    expect(resourcePath(customResource(websites), { namespace: 'default', name: 'home' })).toBe(
      '/apis/example.com/v1/namespaces/default/websites/home',
    );
  });

  it.each(['Foo', 'foo', 'My-Kind', 'K8s2'])('takes %s as a kind, as API servers do', (kind) => {
    expect(customResource({ ...websites, kind }).kind).toBe(kind);
  });

  it.each<[keyof CustomResourceNames, unknown, string]>([
    ['group', '', 'Expected `group` of `customResource` to be a DNS name such as "example.com", got ""'],
    ['group', 'Example.com', 'Expected `group` of `customResource` to be a DNS name such as "example.com", got "Example.com"'],
    ['group', 'example..com', 'Expected `group` of `customResource` to be a DNS name such as "example.com", got "example..com"'],
    ['group', undefined, 'Expected `group` of `customResource` to be a DNS name such as "example.com", got undefined'],
    ['version', 'example.com/v1', 'Expected `version` of `customResource` to be a version such as "v1", got "example.com/v1"'],
    ['plural', 'WebSites', 'Expected `plural` of `customResource` to be a lower-case plural such as "websites", got "WebSites"'],
    ['plural', 'web/sites', 'Expected `plural` of `customResource` to be a lower-case plural such as "websites", got "web/sites"'],
    ['kind', 'Web Site', 'Expected `kind` of `customResource` to be a kind such as "WebSite", got "Web Site"'],
    ['kind', '2Sites', 'Expected `kind` of `customResource` to be a kind such as "WebSite", got "2Sites"'],
    ['singular', 5, 'Expected `singular` of `customResource` to be a string, got 5'],
    ['subresources', ['states'], 'Expected `subresources` of `customResource` to be a list of "status" and "scale", got a list of 1'],
    ['subresource' as never, ['status'], 'Unknown option `subresource` of `customResource`; did you mean `subresources`?'],
    ['namespaced', 'true', 'Expected `namespaced` of `customResource` to be a boolean, got "true"'],
  ])('refuses the %s %j', (field, value, message) => {
    const names = { ...websites, [field]: value };
    expect(() => customResource(names)).toThrow(new TypeError(message));
  });
});

/** Makes `JSON.stringify` give up, as it does at objects deeper than the stack. */
function withoutStack<R>(work: () => R): R {
  const original = JSON.stringify;
  JSON.stringify = ((value: unknown) => {
    if (typeof value === 'object' && value !== null) throw new RangeError('Maximum call stack size exceeded');
    return original(value);
  }) as typeof JSON.stringify;
  try {
    return work();
  } finally {
    JSON.stringify = original;
  }
}

describe('jsonTextOf', () => {
  it('writes what JSON.stringify writes', () => {
    const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true, maxDepth: 4 });
    fc.assert(
      fc.property(anything, (value) => {
        const expected = JSON.stringify(value) as string | undefined;
        fc.pre(expected !== undefined);
        expect(withoutStack(() => jsonTextOf(value))).toBe(expected);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('writes what is nested deeper than the stack', () => {
    const text = `${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    expect(jsonTextOf(JSON.parse(text))).toBe(text);
  });

  it('throws what JSON.stringify throws otherwise', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => jsonTextOf(circle)).toThrow(TypeError);
    expect(() => jsonTextOf({ big: 1n })).toThrow(TypeError);
  });
});

const of = (uid?: string, resourceVersion?: string): object => ({ metadata: { uid, resourceVersion } });

describe('objectIdentity', () => {
  it('counts what is missing as empty', () => {
    for (const object of [{}, { metadata: {} }, of(), of(7 as never, 5 as never), of('', '')])
      expect(objectIdentity(object)).toStrictEqual({ uid: '', resourceVersion: '' });
    expect(uidOf(of('', '5'))).toBeUndefined();
    expect(objectIdentity(of('u', '5'))).toStrictEqual({ uid: 'u', resourceVersion: '5' });
  });
});

describe('isRecreated', () => {
  it('goes by uids, where both are known', () => {
    const judge = (before?: string, after?: string): boolean =>
      isRecreated(objectIdentity(of(before, '1')), objectIdentity(of(after, '2')));
    expect([judge('u', 'v'), judge('u', 'u'), judge('u'), judge(undefined, 'v'), judge()]).toEqual([true, false, false, false, false]);
  });
});

describe('isOtherObject', () => {
  it('goes by uids, where both are known', () => {
    const judge = (before?: string, after?: string): boolean => isOtherObject(of(before), of(after));
    expect([judge('u', 'v'), judge('u', 'u'), judge('u'), judge(undefined, 'v'), judge()]).toEqual([true, false, false, false, false]);
  });
});

describe('isSameVersion', () => {
  it('goes by uid and version, where there is one', () => {
    const judge = (before: object, after: object): boolean => isSameVersion(objectIdentity(before), objectIdentity(after));
    expect(judge(of('u', '5'), of('u', '5'))).toBe(true);
    expect([judge(of('u', '5'), of('v', '5')), judge(of('u', '5'), of('u', '6')), judge(of('u'), of('u'))]).toEqual([false, false, false]);
  });
});

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('gives a signal one listener, whatever waits for it, and none when nothing does', () => {
    const { signal } = new AbortController();
    const forget = Array.from({ length: 40 }, () => onAbort(signal, () => undefined));
    expect(listenersOf(signal)).toBe(1);
    forget.forEach((each) => each());
    expect(listenersOf(signal)).toBe(0);
  });

  it('calls every action once, in order, and those that are forgotten not at all', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const twice = (): unknown => called.push('twice');
    const forget = [onAbort(controller.signal, () => called.push('a')), onAbort(controller.signal, () => called.push('b'))];
    onAbort(controller.signal, twice);
    onAbort(controller.signal, twice)();
    forget[0]?.();
    forget[0]?.();
    controller.abort();
    controller.abort();
    forget[1]?.();
    expect(called).toEqual(['b', 'twice']);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('calls at once for a signal that is aborted', () => {
    const action = jest.fn();
    onAbort(AbortSignal.abort(), action)();
    expect(action).toHaveBeenCalledTimes(1);
  });

  it('calls the others when one throws, and forgets while it calls', async () => {
    const unhandled = new Promise((resolve) => (config.onUnhandledError = resolve));
    let abort = (): void => undefined;
    const target = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => (abort = listener),
      removeEventListener: () => undefined,
    } as unknown as AbortSignal;
    const called: string[] = [];
    onAbort(target, () => {
      called.push('a');
      forgetC();
      throw new Error('a is broken');
    });
    onAbort(target, () => called.push('b'));
    const forgetC = onAbort(target, () => called.push('c'));
    abort();
    expect(called).toEqual(['a', 'b']);
    expect(await unhandled).toEqual(new Error('a is broken'));
    config.onUnhandledError = null;
  });
});

describe('one signal for many calls', () => {
  it('gets one listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const queue = createWorkQueue<string>();
    const informer = createInformer({ list: () => NEVER, watch: () => NEVER }, { logger: { warn: () => undefined } });
    const calls = Array.from({ length: 12 }, () => [queue.get({ signal }), informer.whenSynced({ signal })]).flat();
    expect(listenersOf(signal)).toBe(1);
    controller.abort(new Error('enough'));
    const results = await Promise.allSettled(calls);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(listenersOf(signal)).toBe(0);
    await informer.stop();
  });
});

/** Is at work for so long, by processor time. */
function work(ms: number): void {
  const from = process.cpuUsage();
  let spent = 0;
  while (spent < ms) {
    const { user, system } = process.cpuUsage(from);
    spent = (user + system) / 1_000;
  }
}

/** Stands still for so long, as a machine that is busy with others does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function call(calls: SlowCalls, ...steps: readonly (() => void)[]): number {
  for (const step of steps) {
    const from = calls.begin();
    step();
    calls.end(from);
  }
  return calls.slow;
}

describe('SlowCalls', () => {
  it('counts by the clock in virtual time', () => {
    const scheduler = new VirtualTimeScheduler();
    const calls = new SlowCalls(scheduler);
    const takes = (ms: number) => (): void => void (scheduler.frame += ms);
    expect(call(calls, takes(50))).toBe(0);
    expect(call(calls, takes(51), takes(70))).toBe(2);
    expect(calls.slowestMs).toBe(70);
  });

  it('counts what works for long, from the second time on', () => {
    expect(call(new SlowCalls(), () => work(80))).toBe(0);
    expect(call(new SlowCalls(), ...Array.from({ length: 3 }, () => () => work(80)))).toBe(2);
  });

  it('does not blame whoever is called for a machine that stands still', () => {
    expect(call(new SlowCalls(), ...Array.from({ length: 3 }, () => () => standStill(80)))).toBe(0);
  });

  it('asks for more than 50 ms where a call has more to do', () => {
    const scheduler = new VirtualTimeScheduler();
    const calls = new SlowCalls(scheduler);
    const from = calls.begin();
    scheduler.frame += 80;
    calls.end(from, 100);
    expect(calls.slow).toBe(0);
  });
});
