import fc from 'fast-check';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import type { FakeListerWatcherOptions } from '../../src/testing/fakes/fakeListerWatcher.js';
import { connectionError, statusError } from '../../src/testing/fakes/serverErrors.js';

/** Objects of the simulation: the label decides which of two selectors matches them. */
export interface Simulated extends KubernetesObject {
  readonly spec: { readonly value: number };
}

const names = ['one/a', 'one/b', 'two/a', 'two/c'] as const;

export function simulated(namespace: string, name: string, value: number): Simulated {
  return { metadata: { namespace, name }, spec: { value } };
}

/** One thing that happens to the server. */
export type Step =
  | { readonly do: 'write' | 'recreate' | 'delete'; readonly key: string; readonly lost: boolean }
  | { readonly do: 'expire' | 'compact' | 'restart' | 'close' | 'reset' | 'stall' | 'stop' | 'start' | 'error' | 'expired list' }
  | { readonly do: 'fail' | 'hang'; readonly verb: 'list' | 'watch' }
  | { readonly do: 'restore'; readonly back: number };

/** The time and the action. */
export interface TimedStep {
  readonly afterMs: number;
  readonly step: Step;
}

const key = fc.constantFrom(...names);
const lost = fc.boolean();
const verb = fc.constantFrom('list' as const, 'watch' as const);
const change = fc.constantFrom(
  'write' as const,
  'write' as const,
  'write' as const,
  'recreate' as const,
  'delete' as const,
  'delete' as const,
);
const fault = fc.constantFrom('expire', 'compact', 'restart', 'close', 'reset', 'stall', 'stop', 'start', 'error', 'expired list');

/** Random things that happen to a server. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: change, key, lost: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ do: change, key, lost }) },
  { weight: 5, arbitrary: fc.record({ do: fault as fc.Arbitrary<'expire'> }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('fail' as const, 'hang' as const), verb }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), back: fc.integer({ min: 0, max: 6 }) }) },
);

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 40_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 400_000 }) },
);

/** Random histories. */
export const history: fc.Arbitrary<readonly TimedStep[]> = fc.array(fc.record({ afterMs: gap, step }), { maxLength: 30 });

/** Random servers. */
export const serverOptions: fc.Arbitrary<FakeListerWatcherOptions> = fc.record({
  watchList: fc.constantFrom('on' as const, 'refused' as const, 'ignored' as const),
  latencyMs: fc.constantFrom(0, 0, 1, 50, 2_000),
  chunkSize: fc.constantFrom(1, 2, Infinity),
  bookmarkIntervalMs: fc.constantFrom(60_000, 7_000, Infinity),
});

/** Executes the steps of a history. */
export class SimulatedServer<T extends KubernetesObject = Simulated> {
  readonly source: FakeListerWatcher<T>;
  private readonly make: (namespace: string, name: string, version: number) => T;
  private calls = 0;

  /**
   * @param make - creates the object of a version. After a restore, versions are given out again; the content depends on the version alone,
   * since clients could not detect the difference.
   */
  constructor(options: FakeListerWatcherOptions, make: (namespace: string, name: string, version: number) => T) {
    this.source = new FakeListerWatcher<T>(options);
    this.make = make;
  }

  apply(step: Step): void {
    const { source } = this;
    this.calls += 1;
    switch (step.do) {
      case 'write':
      case 'recreate':
      case 'delete':
        if (step.lost) source.loseEvents(() => this.change(step.do, step.key));
        else this.change(step.do, step.key);
        return;
      case 'fail': {
        source.failNext(step.verb, this.calls % 2 === 0 ? connectionError('ECONNREFUSED') : statusError(500, 'InternalError', 'simulated'));
        return;
      }
      case 'hang': {
        source.hangNext(step.verb);
        return;
      }
      case 'error': {
        source.fail({ kind: 'Status', code: 500, reason: 'InternalError', message: 'simulated' });
        return;
      }
      case 'expired list': {
        source.failNext('list', statusError(410, 'Expired', 'simulated'));
        return;
      }
      case 'restore': {
        source.restore(String(Math.max(1, Number(source.resourceVersion) - step.back)));
        return;
      }
      default: {
        source[step.do]();
        return;
      }
    }
  }

  private change(kind: 'write' | 'recreate' | 'delete', key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    const object = (): T => this.make(namespace, name, Number(this.source.resourceVersion) + 1);
    if (kind !== 'write' && this.source.get(key) !== undefined) this.source.delete(key);
    if (kind === 'delete') return;
    // A subscriber that is called for the deletion may have added it.
    if (this.source.get(key) === undefined) this.source.add(object());
    else this.source.modify(object());
  }
}
