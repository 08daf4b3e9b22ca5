import { compileFunction } from 'node:vm';
import { type Observable, of, type VirtualTimeScheduler } from 'rxjs';
import type { ResourceChange } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import * as controller from '@rx-informer/controller';
import * as core from 'rx-informer';
import * as pipeline from 'rx-informer/pipeline';
import * as operatorPictures from '../../../../spec/docs/operatorPictures.js';
import * as testing from 'rx-informer/testing';
import type { LeakPod } from '../../../../spec/leaks/leakPods.js';

type Operator<I> = (source: Observable<I>) => Observable<unknown>;

/** An operator at work, over changes or over source events. */
export type LeakCase =
  | { readonly of: 'changes'; readonly make: (scheduler: VirtualTimeScheduler) => Operator<ResourceChange<LeakPod>> }
  | { readonly of: 'source'; readonly make: (scheduler: VirtualTimeScheduler) => Operator<SourceEvent<LeakPod>> };

const owner = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node', uid: 'u' } };
const changes = (make: (scheduler: VirtualTimeScheduler) => unknown): LeakCase => ({ of: 'changes', make: make as never });
const source = (make: (scheduler: VirtualTimeScheduler) => unknown): LeakCase => ({ of: 'source', make: make as never });

/** The functions that a picture may call. Those with options get the scheduler, if they take one. */
function callable(scheduler: VirtualTimeScheduler): Readonly<Record<string, unknown>> {
  const timed =
    (make: (...given: readonly unknown[]) => unknown) =>
    (...given: readonly unknown[]): unknown => {
      const [options] = given;
      if (typeof options !== 'object' || given.length > 1) return make(...given);
      try {
        return make({ ...options, scheduler });
      } catch {
        return make(options);
      }
    };
  const operators = Object.entries(core).filter(([, value]) => typeof value === 'function' && value.name !== '' && value.length < 3);
  return Object.fromEntries(operators.map(([name, value]) => [name, timed(value as () => unknown)]));
}

/** The operators that have a picture of their name, called as it is drawn. */
function picturedCases(): Record<string, LeakCase> {
  const cases = Object.entries(operatorPictures).flatMap(([name, { call }]) => {
    if (!(name in core)) return [];
    const make = (scheduler: VirtualTimeScheduler): unknown => {
      const scope = callable(scheduler);
      return (compileFunction(`return ${call};`, Object.keys(scope)) as (...values: readonly unknown[]) => unknown)(
        ...Object.values(scope),
      );
    };
    return [[name, changes(make)] as const];
  });
  return Object.fromEntries(cases);
}

/** A case for every operator that an entry exports, by its name. Here are those without a picture, and those that need other arguments. */
export const leakCases: Readonly<Record<string, LeakCase>> = {
  ...picturedCases(),
  resync: changes((scheduler) => core.resync({ periodMs: 60_000, scheduler })),
  filterObjects: changes(() => core.filterObjects<LeakPod>(({ spec }) => spec.size % 2 === 0)),
  inNamespaces: changes(() => core.inNamespaces('one')),
  withLabels: changes(() => core.withLabels('app=web')),
  ownedBy: changes(() => core.ownedBy(owner)),
  groupByKey: changes(() => (from$: Observable<ResourceChange<LeakPod>>) => from$.pipe(core.groupByKey(), (groups$) => groups$)),
  trampoline: changes(() => pipeline.trampoline()),
  ownerKeys: changes(() => controller.ownerKeys(core.resources.core.v1.nodes)),
  mappedKeys: changes(() => controller.mappedKeys<LeakPod>(({ metadata }) => [metadata.name])),
  scanToIndex: source(() => pipeline.scanToIndex(pipeline.createIndexer())),
  recordSource: source((scheduler) => pipeline.recordSource({ scheduler })),
  checkSourceGrammar: source(() => testing.checkSourceGrammar()),
  deltaFifo: source(() => pipeline.deltaFifo(() => of(1))),
};
