import { type ReactElement, useDeferredValue, useState } from 'react';
import type { IndexSnapshot } from 'rx-informer';
import { type RelayResult, useRelay } from '@rx-informer/relay/react';
import type { Column, tabs } from './tabs.js';

type Row = readonly [id: string, cells: readonly (string | number)[]];
type TableProps = Readonly<{ tab: (typeof tabs)[number]; open: string | undefined; onOpen: (id: string) => void }>;

const rowHeight = 36;
const arrows = { none: '', ascending: ' ↑', descending: ' ↓' } as const;

export function stateOf({ loaded, stale, forbidden, offline }: RelayResult<unknown>): string {
  if (loaded) return stale ? 'offline' : 'live';
  return forbidden ? 'forbidden' : offline ? 'offline' : 'loading';
}

/** The rows that match the filter, by a column: the first one is number 1, and a negative number means descending. */
function rowsOf<T>(all: IndexSnapshot<T>, columns: readonly Column<T>[], filter: string, order: number): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/);
  const [by, sign] = [Math.abs(order) - 1, Math.sign(order)];
  return [...all]
    .map(([id, object]): Row => [id, columns.map(({ valueOf }) => valueOf(object))])
    .filter(([, cells]) => filter === '' || words.every((word) => cells.join(' ').toLowerCase().includes(word)))
    .sort(([idA, { [by]: a = '' }], [idB, { [by]: b = '' }]) => (a < b ? -sign : a > b ? sign : idA < idB ? -1 : 1));
}

/** A table of what the relay has, with sorting, filtering, and only those rows in the page that can be seen. */
export function Table({ tab, open, onOpen }: TableProps): ReactElement {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState(1);
  const [top, setTop] = useState(0);
  const wanted = useDeferredValue(filter.trim());
  const what = tab.title.toLowerCase();
  const select = (all: IndexSnapshot<never>) => ({ rows: rowsOf(all, tab.columns, wanted, order), size: all.size });
  const result = useRelay({ ...tab.scope, select });
  const { rows, size } = result.data ?? { rows: [], size: 0 };
  const first = Math.max(0, Math.min(rows.length, Math.floor(top / rowHeight)) - 6);
  const seen = rows.slice(first, Math.ceil((top + innerHeight) / rowHeight) + 6);
  const count = result.loaded ? `${rows.length.toLocaleString('en')} of ${size.toLocaleString('en')}` : stateOf(result);
  const missing = result.forbidden ? `You may not read ${what}.` : (result.error?.message ?? `Loading ${what}…`);
  const nothing = filter === '' ? `There are no ${what} that you may read.` : `Nothing matches ${filter}.`;
  return (
    <section>
      <nav>
        <input type="search" placeholder={`Filter ${what}: crash shop`} value={filter} onChange={({ target }) => setFilter(target.value)} />
        <output>{count}</output>
      </nav>
      <div className="rows" tabIndex={0} onScroll={({ currentTarget: at }) => setTop(at.scrollTop)}>
        <table aria-label={tab.title} aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {tab.columns.map(({ title, width }, at) => {
                const direction = Math.abs(order) - 1 !== at ? 'none' : order < 0 ? 'descending' : 'ascending';
                return (
                  <th key={title} aria-sort={direction} className={width}>
                    <button onClick={() => setOrder(order === at + 1 ? -order : at + 1)}>{title + arrows[direction]}</button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            <tr style={{ height: first * rowHeight }} />
            {seen.map(([id, cells], at) => (
              <tr key={id} className="row" aria-rowindex={first + at + 2} aria-selected={id === open} onClick={() => onOpen(id)}>
                {tab.columns.map(({ title, width }, column) => (
                  <td key={title} className={width} data-value={cells[column]}>
                    {title === 'Name' ? <button>{cells[column]}</button> : cells[column]}
                  </td>
                ))}
              </tr>
            ))}
            <tr style={{ height: (rows.length - first - seen.length) * rowHeight }} />
          </tbody>
        </table>
        {rows.length === 0 && <p className="empty">{result.loaded ? nothing : missing}</p>}
      </div>
    </section>
  );
}
