import { defer, EMPTY, from, merge, mergeMap, NEVER, Observable, type ObservableInput, of, tap } from 'rxjs';
import type { KubeClient, KubernetesObject, ResourceEvent } from 'rx-informer';
import { expectArgument, hashSlot, namespaceOfKey, rules } from 'rx-informer/internal';
import type { Outcome } from '../reconcile/outcome.js';
import { controlLoop } from '../reconcile/reconcile.js';
import { reconcileSettings, type ReconcileConfig, type ReconcileSource, type SourceCollection } from '../reconcile/reconcileConfig.js';
import { expectInput, type ReconcileRequest, type ReconcileResult } from '../reconcile/reconcileRun.js';
import type { ShardMember } from './shardMember.js';
import { fence } from '../leader/fence.js';
import type { SlotHold } from './slotHolds.js';
import { currentTenure, takeWork, type Tenure } from '../leader/tenure.js';

/** The argument of the function of a sharded `reconcile`. */
export interface ShardRequest extends ReconcileRequest {
  /** The client of the member, bound to the shard: its requests reject with a LeaderElectionError (`ERR_LEADERSHIP_LOST`) when the key belongs to another member. */
  readonly client: KubeClient;
  /** Whether this member owns the key, by a monotonic clock: false after the renewal deadline, even if the process was suspended and no timer has run. */
  isValid(): boolean;
  /** The fencing token: a later owner of the key has a higher one. */
  readonly token: number;
  /**
   * A copy of the object with the token in the annotation `rx-informer/fencing-token`. Write it with `client.replace`: because of its `resourceVersion`, the server
   * rejects the write when the object has been written since it was read.
   *
   * @throws LeaderElectionError `ERR_FENCED` when the object has the token of a later owner.
   */
  fence<T extends KubernetesObject>(object: T): T;
}

/** The options of a control loop of a shard. */
export interface ShardReconcileConfig extends Omit<ReconcileConfig, 'sources' | 'reconcile'> {
  /** The collection whose keys are reconciled: an informer with the part `sharding`. It is a source, and its sync is awaited. */
  readonly primary: Omit<SourceCollection, 'resource$'> & {
    readonly resource$: Observable<ResourceEvent<unknown>>;
    readonly indexer: {
      /** The keys of its objects. */
      listKeys(): readonly string[];
      /** The object of a key; `undefined` when there is none. */
      getByKey(key: string): unknown;
    };
  };
  /** Further sources of keys. */
  readonly sources?: Readonly<Record<string, ReconcileSource>> | undefined;
  /** Called only for keys of this member's shard. */
  reconcile(request: ShardRequest): ObservableInput<ReconcileResult | undefined> | ObservableInput<void>;
}

/** Records the uid of a key's object; removes that of an object that has moved to another member. */
function noteUid(uids: Map<string, string>, event: ResourceEvent<unknown>): void {
  if (event.type === 'synced') return;
  if (event.type !== 'deleted') uids.set(event.key, (event.object as Partial<KubernetesObject>).metadata?.uid ?? '');
  else if (event.reason !== undefined) uids.delete(event.key);
}

function shardRequest({ key, reasons, attempt }: ReconcileRequest, { client, token, tenure }: SlotHold, signal: AbortSignal): ShardRequest {
  return { key, reasons, attempt, signal, client, token, isValid: () => tenure.isValid(), fence: (object) => fence(object, token) };
}

type Result = ReconcileResult | undefined;

/** Runs the user's function for a key, until it ends or the key moves to another member. A promise counts as work until it settles. */
function workOf(
  request: ReconcileRequest,
  hold: SlotHold,
  work: ShardReconcileConfig['reconcile'],
  outer: Tenure | undefined,
): Observable<Result> {
  const { tenure } = hold;
  return new Observable<Result>((subscriber) => {
    const aborter = new AbortController();
    const leaveSignal = tenure.onEnd(() => {
      aborter.abort(tenure.signal.reason);
      subscriber.error(tenure.signal.reason);
    });
    let isOver = false;
    let isPending = false;
    subscriber.add(() => {
      leaveSignal();
      if (!isOver) aborter.abort(new DOMException('Reconciling was stopped', 'AbortError'));
      if (!isPending) tenure.leave();
    });
    const returned = expectInput(work(shardRequest(request, hold, aborter.signal)) as ObservableInput<Result>);
    const over = (): boolean => (isOver = true);
    const { output, pending } = takeWork(returned);
    if (pending !== undefined) {
      isPending = true;
      outer?.keep(pending);
      const settled = (): void => tenure.leave();
      pending.then(settled, settled);
    }
    const result$ = from(output).pipe(tap({ complete: over, error: over }));
    subscriber.add(result$.subscribe(subscriber));
  });
}

/** A control loop for the keys of one member. */
export function shardedReconcile(member: ShardMember, config: ShardReconcileConfig): Observable<Outcome> {
  const { primary, sources = {}, stop$ = NEVER, ...rest } = config;
  const work: ShardReconcileConfig['reconcile'] = (request) => config.reconcile(request);
  expectArgument('reconcile', 'primary', primary, rules.object);
  expectArgument('reconcile', 'reconcile', (config as { readonly reconcile: unknown }).reconcile, rules.function);
  if ('primary' in sources) throw new TypeError('Expected `sources` of `reconcile` to have other names than `primary`');
  // Check the options now: the loop is created at each subscription.
  reconcileSettings({ ...rest, sources: { ...sources, primary }, reconcile: () => EMPTY });
  return defer(() => {
    const outer = currentTenure();
    const byUid = member.settings.by === 'uid';
    const uids = new Map<string, string>();
    const slotOf = (key: string): number => {
      const hashed = byUid ? uids.get(key) : namespaceOfKey(key);
      return hashed === undefined ? -1 : hashSlot(hashed);
    };
    const keysOf = (active: ReadonlySet<number>): readonly string[] => primary.indexer.listKeys().filter((key) => active.has(slotOf(key)));
    const own$ = merge(
      byUid ? primary.resource$.pipe(tap((event) => noteUid(uids, event))) : primary.resource$,
      member.holds.activated$.pipe(mergeMap((active) => keysOf(active))),
    );
    return controlLoop({
      ...rest,
      stop$: merge(stop$, member.left$),
      caches: [...(rest.caches ?? []), primary],
      sources: { ...sources, primary: own$ },
      reconcile: (request) => {
        const hold = member.holds.of(slotOf(request.key));
        if (hold?.tenure.enter() !== true) return of(undefined);
        return workOf(request, hold, work, outer).pipe(
          tap({ complete: () => primary.indexer.getByKey(request.key) === undefined && uids.delete(request.key) }),
        );
      },
    });
  });
}
