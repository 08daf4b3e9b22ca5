import { useEffect, useState } from 'react';
import type { SchedulerLike } from 'rxjs';
import type { IndexSnapshot } from 'rx-informer';
import { type RelayWindow, scopeId } from '../wire/frames.js';
import { ordering } from '../wire/ordering.js';
import { useRelayClient } from './relayProvider.js';
import { type RelayResult, useRelay, type UseRelayOptions } from './useRelay.js';

/** What a table asks for: the rows that it shows of an order. */
export interface UseRelayRowsOptions
  extends Omit<UseRelayOptions<never, never>, 'select' | 'equals' | 'window' | 'name'>, Pick<RelayWindow, 'orderBy' | 'descending'> {
  /** The index of the first row that is shown. */
  readonly first: number;
  /** How many rows are shown: at most 100. */
  readonly count: number;
}

/** The rows that a table shows. */
export type RelayRows<T> = Readonly<{
  /** How many rows there are, for the height of the table. */
  total: number;
  /** The rows from `first` on, each with its key; undefined where they are not loaded yet. */
  rows: readonly (readonly [key: string, object: T] | undefined)[];
}>;

/** Rows are asked for in pages of this size, so that many pages share them at the relay. */
const pageSize = 100;
/** A page is asked for when the table has been there for this long, in milliseconds. */
const settledMs = 100;

/** A value once it has not changed for a while; the first one at once. */
function useSettled(value: number, scheduler: SchedulerLike): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = scheduler.schedule(() => setSettled(value), settledMs);
    return () => timer.unsubscribe();
  }, [value, settled, scheduler]);
  return settled;
}

/**
 * The rows that a table shows of a long order, of the relay of the nearest `RelayProvider`: a table of 100,000 rows that scrolls asks for what is seen.
 *
 * The order is kept at the relay, once for all pages. Rows are ordered by the field `orderBy`, and equal ones by key. A user needs the right to all objects of the scope.
 *
 * @example
 * ```tsx
 * import type { V1Pod } from 'rx-informer';
 * import { useRelayRows } from '@rx-informer/relay/react';
 *
 * function Pods({ first }: { first: number }) {
 *   const pods = useRelayRows<V1Pod>({ kind: 'pods', fields: ['status.phase'], orderBy: 'metadata.name', first, count: 40 });
 *   if (!pods.loaded) return <p>Loading</p>;
 *   const rows = pods.data.rows.map((row, at) => <li key={first + at}>{row?.[1].metadata?.name ?? '…'}</li>);
 *   return <ul style={{ height: pods.data.total * 30 }}>{rows}</ul>;
 * }
 * ```
 *
 * @throws TypeError when an option is wrong, or without a provider.
 */
export function useRelayRows<T>({ orderBy, descending, first, count, ...scope }: UseRelayRowsOptions): RelayResult<RelayRows<T>, T> {
  if (!Number.isSafeInteger(first) || first < 0) throw new TypeError(`Expected \`first\` of \`useRelayRows\` to be an index, got ${first}`);
  if (!(count >= 1 && count <= pageSize))
    throw new TypeError(`Expected \`count\` of \`useRelayRows\` to be 1 to ${pageSize}, got ${count}`);
  const { scheduler } = useRelayClient();
  const objects = scopeId({ ...scope, fields: 'metadata' });
  const [last, setLast] = useState({ objects, total: 0 });
  const known = last.objects === objects ? last.total : 0;
  const pageOf = (index: number): number => Math.floor((known === 0 ? index : Math.min(index, known - 1)) / pageSize);
  const page = useSettled(pageOf(first), scheduler);
  const next = useSettled(pageOf(first + count - 1), scheduler);
  const compare = ordering({ orderBy, descending });
  const select = (all: IndexSnapshot<T>) => [...all].sort(([keyA, a], [keyB, b]) => compare(a, b) || (keyA < keyB ? -1 : 1));
  const windowOf = (at: number): RelayWindow => ({ orderBy, descending, offset: at * pageSize, limit: pageSize });
  const top = useRelay({ ...scope, select, window: windowOf(page) });
  const end = useRelay({ ...scope, select, window: windowOf(next) });
  const total = top.total ?? end.total ?? known;
  useEffect(() => setLast((known) => (known.objects === objects && known.total === total ? known : { objects, total })), [objects, total]);
  const rowAt = (index: number) =>
    index >= next * pageSize
      ? end.data?.[index - next * pageSize]
      : index >= page * pageSize
        ? top.data?.[index - page * pageSize]
        : undefined;
  const length = Math.max(0, Math.min(count, total - first));
  const data = { total, rows: Array.from({ length }, (_, at) => rowAt(first + at)) };
  if (top.loaded) return { ...top, data };
  if (top.forbidden || total === 0) return top;
  // Rows under way are no reason to show nothing.
  const { collection, retry, offline, error } = top;
  const shown = { collection, retry, total, loaded: true, data, forbidden: false } as const;
  return offline ? { ...shown, offline, stale: true, error } : { ...shown, offline, stale: false, error };
}
