import { type Observable, of, type VirtualTimeScheduler } from 'rxjs';
import type { ResourceChange } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import * as controller from '@rx-informer/controller';
import * as core from 'rx-informer';
import * as pipeline from 'rx-informer/pipeline';
import { flattenChanges } from '../../../../spec/delta/share/flattenChanges.js';
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

/** A case for every operator that an entry exports, by its name. */
export const leakCases: Readonly<Record<string, LeakCase>> = {
  conflateByKey: changes((scheduler) => core.conflateByKey({ periodMs: 1_000, scheduler })),
  debounceByKey: changes((scheduler) => core.debounceByKey({ dueMs: 1_000, maxWaitMs: 5_000, scheduler })),
  resync: changes((scheduler) => core.resync({ periodMs: 60_000, scheduler })),
  filterObjects: changes(() => core.filterObjects<LeakPod>(({ spec }) => spec.size % 2 === 0)),
  filterUpdates: changes(() => core.filterUpdates<LeakPod>((before, after) => before.spec.size !== after.spec.size)),
  inNamespaces: changes(() => core.inNamespaces('one')),
  withLabels: changes(() => core.withLabels('app=web')),
  ownedBy: changes(() => core.ownedBy(owner)),
  ofType: changes(() => core.ofType('added', 'deleted')),
  pairwiseByKey: changes(() => core.pairwiseByKey()),
  groupByKey: changes(() => (from$: Observable<ResourceChange<LeakPod>>) => from$.pipe(core.groupByKey(), (groups$) => groups$)),
  untilDeleted: changes(() => core.untilDeleted('one/never')),
  toMap: changes(() => core.toMap()),
  toObjects: changes(() => core.toObjects()),
  trampoline: changes(() => pipeline.trampoline()),
  ownerKeys: changes(() => controller.ownerKeys(core.resources.core.v1.nodes)),
  mappedKeys: changes(() => controller.mappedKeys<LeakPod>(({ metadata }) => [metadata.name])),
  scanToIndex: source(() => pipeline.scanToIndex(pipeline.createIndexer())),
  recordSource: source((scheduler) => pipeline.recordSource({ scheduler })),
  checkSourceGrammar: source(() => testing.checkSourceGrammar()),
  until: changes(
    () => (from$: Observable<ResourceChange<LeakPod>>) =>
      from$.pipe(
        flattenChanges(),
        core.until<LeakPod>(({ type }) => type === 'synced'),
      ),
  ),
  deltaFifo: source(() => pipeline.deltaFifo(() => of(1))),
};
