import { memo, type ReactElement, useCallback, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import type { Collection, IndexSnapshot } from 'rx-informer';
import { useCollection, useObject } from '@rx-informer/views/react';
import type { Column } from './columns.js';

const rowHeight = 36;
const spare = 6;

interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

/** The keys of the objects that match the filter, in order. */
function keysOf<T>(all: IndexSnapshot<T>, columns: readonly Column<T>[], filter: string, order: Order): readonly string[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const by = columns[order.column]?.valueOf ?? (() => '');
  const rows = [...all].flatMap(([key, object]) => {
    const text =
      words.length === 0
        ? ''
        : columns
            .map(({ valueOf }) => valueOf(object))
            .join(' ')
            .toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ key, value: by(object) }] : [];
  });
  const sign = order.isDescending ? -1 : 1;
  rows.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : a.key < b.key ? -1 : 1));
  return rows.map(({ key }) => key);
}

interface RowProps<T> {
  readonly collection: Collection<T>;
  readonly columns: readonly Column<T>[];
  readonly id: string;
  readonly at: number;
  readonly isOpen: boolean;
  readonly onOpen: (id: string) => void;
}

/** One row, which is rendered only when one of its cells changes. */
const Row = memo(function Row<T>({ collection, columns, id, at, isOpen, onOpen }: RowProps<T>): ReactElement {
  const [cells = []] = useObject(collection, id, { select: (object) => columns.map(({ valueOf }) => valueOf(object)) });
  return (
    <div
      className="row"
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isOpen}
      style={{ top: at * rowHeight }}
      onClick={() => onOpen(id)}
    >
      {columns.map(({ title, share, isWideOnly }, column) => (
        <div
          key={title}
          role="gridcell"
          className={isWideOnly === true ? 'wide' : ''}
          style={{ flexGrow: share }}
          data-value={cells[column]}
        >
          {title === 'Name' ? <button type="button">{cells[column]}</button> : cells[column]}
        </div>
      ))}
    </div>
  );
}) as <T>(props: RowProps<T>) => ReactElement;

interface RowsProps<T> extends Pick<RowProps<T>, 'collection' | 'columns' | 'onOpen'> {
  readonly keys: readonly string[];
  readonly open: string | undefined;
}

/** The visible rows. */
function Rows<T>({ keys, open, ...row }: RowsProps<T>): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 600 });
  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = frame.current ?? {};
    setView({ top: scrollTop, height: clientHeight });
  }, []);
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    if (frame.current !== null) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [look]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const seen = keys.slice(first, Math.ceil((top + height) / rowHeight) + spare);
  return (
    <div className="rows" ref={frame} onScroll={look} tabIndex={0} role="rowgroup" aria-label="Rows">
      <div style={{ height: keys.length * rowHeight }}>
        {seen.map((id, index) => (
          <Row key={id} id={id} at={first + index} isOpen={id === open} {...row} />
        ))}
      </div>
    </div>
  );
}

/** A table of a collection with sorting, filtering and scrolling. */
export function Table<T>({
  collection,
  columns,
  what,
  open,
  onOpen,
}: Omit<RowsProps<T>, 'keys'> & { readonly what: string }): ReactElement {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>({ column: 0, isDescending: false });
  const wanted = useDeferredValue(filter);
  const select = useCallback(
    (all: IndexSnapshot<T>) => ({ keys: keysOf(all, columns, wanted, order), size: all.size }),
    [columns, wanted, order],
  );
  const [shown, loaded, error, state] = useCollection(collection, { select });
  const keys = shown?.keys ?? [];
  const sortBy = (column: number): void => setOrder({ column, isDescending: column === order.column && !order.isDescending });
  return (
    <section className="table" role="grid" aria-label={what} aria-rowcount={keys.length + 1}>
      <div className="tools">
        <input
          type="search"
          aria-label={`Filter ${what}`}
          placeholder="Filter, for example crash shop"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <output className="count">
          {loaded ? `${keys.length.toLocaleString('en')} of ${(shown?.size ?? 0).toLocaleString('en')}` : state}
        </output>
      </div>
      <div className="head" role="row">
        {columns.map(({ title, share, isWideOnly }, column) => {
          const direction = column !== order.column ? 'none' : order.isDescending ? 'descending' : 'ascending';
          return (
            <div
              key={title}
              role="columnheader"
              aria-sort={direction}
              className={isWideOnly === true ? 'wide' : ''}
              style={{ flexGrow: share }}
            >
              <button type="button" onClick={() => sortBy(column)}>
                {title}
                <span aria-hidden="true">{direction === 'none' ? '' : order.isDescending ? ' ↓' : ' ↑'}</span>
              </button>
            </div>
          );
        })}
      </div>
      {state === 'forbidden' && (
        <p className="empty" data-state="forbidden">
          You may not read {what}.
        </p>
      )}
      {state === 'failing' && <p className="empty">{error?.message}</p>}
      {state === 'loading' && <p className="empty">Loading {what}…</p>}
      {loaded && keys.length === 0 && (
        <p className="empty">{filter === '' ? `There are no ${what} that you may read.` : `Nothing matches ${filter}.`}</p>
      )}
      {keys.length > 0 && state !== 'forbidden' && <Rows {...{ collection, columns, keys, open, onOpen }} />}
    </section>
  );
}
