import { describe, expect, it } from '@jest/globals';
import { type Resource, resources, type UnstructuredObject } from 'rx-informer';
import { columnsOf } from '../../../api-server/src/tables/columnsOf.js';
import { textOf } from '../../src/output/line.js';
import { browsed, type BrowsedTable, type Browsing, browsingLines, browsingNote, notBrowsing } from '../../src/output/tableBrowser.js';

const now = Date.parse('2026-01-02T00:00:00Z');
const resource = resources.core.v1.pods as unknown as Resource<UnstructuredObject>;
const subject = { resource, allNamespaces: false, columns: columnsOf(resource).slice(0, 5), showKind: false, colour: false };

const pod = (name: string, minutes: number, restarts: number): UnstructuredObject => ({
  metadata: { name, creationTimestamp: new Date(now - minutes * 60_000).toISOString() },
  spec: { containers: [{ name: 'c' }] },
  status: { phase: 'Running', containerStatuses: [{ name: 'c', restartCount: restarts, ready: true }] },
});
const objects = new Map([pod('api', 5, 10), pod('db', 600, 0), pod('web', 60, 9)].map((each) => [each.metadata?.name ?? '', each]));
const table: BrowsedTable = { subject, objects, histories: new Map(), now, rows: 10, columns: 80 };

const pressed = (keys: readonly string[], on = table): Browsing => keys.reduce((state, key) => browsed(state, key, on), notBrowsing);
const shownBy = (state: Browsing, on = table): string[] => browsingLines(state, on).map((line) => textOf(line).trimEnd());
const names = (state: Browsing): string[] =>
  shownBy(state)
    .slice(1)
    .map((line) => line.replace(/^[▶ ]+/, '').replace(/ .*/, ''));

describe('a live table', () => {
  it('sorts by name, by age with the youngest first, by restarts as numbers with the most first, and turns the order round', () => {
    expect(names(pressed([]))).toEqual(['api', 'db', 'web']);
    expect(names(pressed(['n', 'S']))).toEqual(['web', 'db', 'api']);
    expect(names(pressed(['a']))).toEqual(['api', 'web', 'db']);
    expect(names(pressed(['r']))).toEqual(['api', 'web', 'db']);
    expect(names(pressed(['r', 'S']))).toEqual(['db', 'web', 'api']);
  });

  it('shows by its colour which object has just changed', () => {
    const changed = (at: number): readonly unknown[] => {
      const histories = new Map([['db', { previous: pod('db', 600, 0), changedAt: at }]]);
      return browsingLines(notBrowsing, { ...table, histories }).flatMap((line) =>
        line.filter((span) => typeof span === 'object' && span.text.trim() === 'db'),
      );
    };
    expect(changed(now - 1_000)).toMatchObject([{ style: 'yellow' }]);
    expect(changed(now - 2_000)).toMatchObject([{ style: undefined }]);
  });

  it('asks for all columns, and for the first ones again', () => {
    expect(pressed(['w']).wide).toBe(true);
    expect(pressed(['w', 'w']).wide).toBe(false);
  });

  it('sorts by each column in its turn', () => {
    const columns = subject.columns.length;
    expect(Array.from({ length: columns + 1 }, (_, times) => pressed(Array.from({ length: times + 1 }, () => 's')).column)).toEqual([
      ...Array.from({ length: columns }, (_, at) => at),
      0,
    ]);
  });

  it('shows the rows with a text as it is typed, letters of commands included, and says how many', () => {
    const typing = pressed(['/', 'W', 'q', '\u007f', 'e']);
    expect(names(typing)).toEqual(['web']);
    expect(browsingNote(typing, table)).toBe(' | /We▏: 1 of 3');
    const kept = browsed(typing, '\r', table);
    expect([kept.typing, names(kept)]).toEqual([false, ['web']]);
    expect(names(browsed(kept, '\u001b', table))).toEqual(['api', 'db', 'web']);
    expect(names(browsed(typing, '\u001b', table))).toEqual(['api', 'db', 'web']);
  });

  it('moves the cursor within the rows, and to the first one when the order changes', () => {
    expect(pressed(['j']).selected).toBe('api');
    expect(pressed(['j', 'j', '\u001b[B', 'j', 'j']).selected).toBe('web');
    expect(pressed(['j', 'k', 'k']).selected).toBe('api');
    expect(pressed(['G']).selected).toBe('web');
    expect(pressed(['j', 'j', 'n', 'S']).selected).toBe('web');
    expect(pressed(['j', 'r']).selected).toBe('api');
  });

  it('has its cursor among the rows that the filter shows, and opens none that it hides', () => {
    expect(pressed(['j', '/', 'w']).selected).toBe('web');
    expect(pressed(['G', '/', 'x', '\u007f', 'd', '\r']).selected).toBe('db');
    const gone = new Map([...objects].filter(([key]) => key !== 'api'));
    expect(browsed(pressed(['j']), '\r', { ...table, objects: gone })).toMatchObject({ selected: 'db', open: true });
  });

  it('keeps rows that are alike in the order of their keys, both ways', () => {
    const alike = new Map(['a', 'b', 'c'].map((name) => [name, pod(name, 1, 0)]));
    for (const keys of [['r'], ['r', 'S']]) {
      const on = { ...table, objects: alike };
      expect(
        shownBy(pressed(keys, on), on)
          .slice(1)
          .map((line) => line[0]),
      ).toEqual(['a', 'b', 'c']);
    }
  });

  it('scrolls, so that the cursor is among the rows that are shown', () => {
    const many = new Map(
      Array.from({ length: 500 }, (_, at) => [`p${String(at).padStart(3, '0')}`, pod(`p${String(at).padStart(3, '0')}`, at, 0)]),
    );
    const on = { ...table, objects: many };
    for (const keys of [['j'], ['G'], ['G', '\u001b[5~'], ['j', '\u001b[6~', '\u001b[6~', '\u001b[6~'], ['G', 'g']]) {
      const lines = shownBy(pressed(keys, on), on);
      expect(lines).toHaveLength(10);
      expect(lines.filter((line) => line.startsWith('▶'))).toHaveLength(1);
    }
  });

  it('opens an object with what its last change was, scrolls in it, and goes back', () => {
    const histories = new Map([['web', { previous: pod('web', 60, 8), changedAt: now - 3_000 }]]);
    const on = { ...table, histories };
    const open = pressed(['G', '\r'], on);
    expect(shownBy(open, on).slice(0, 3)).toEqual(['web', 'changed 3 s ago:', '  ~ .status.containerStatuses[c].restartCount: 8 → 9']);
    expect(shownBy(browsed(open, 'j', on), on)[0]).toBe('changed 3 s ago:');
    expect(names(browsed(open, '\u001b', on))).toEqual(['api', 'db', 'web']);
    const all = shownBy(open, { ...on, rows: 100 });
    expect(all.length).toBeGreaterThan(on.rows);
    expect(shownBy(browsed(open, 'G', on), on)).toEqual(all.slice(-on.rows));
    const gone = { ...on, objects: new Map(), rows: 100 };
    expect(shownBy(open, gone)[0]).toBe('web is deleted');
    expect(shownBy(open, gone)).toContain('  name: web');
  });

  it('shows the whole of a change that is wider than the terminal', () => {
    const image = (tag: string): UnstructuredObject => ({
      metadata: { name: 'web' },
      spec: { image: `registry.example.com/team/web:${tag}` },
    });
    const histories = new Map([['web', { previous: image('1'), changedAt: now }]]);
    const on = { ...table, objects: new Map([['web', image('2')]]), histories, columns: 40 };
    expect(shownBy(pressed(['j', '\r'], on), on).slice(2, 6)).toEqual([
      '  ~ .spec.image: "registry.example.com/t',
      '    eam/web:1" → "registry.example.com/t',
      '    eam/web:2"',
      '',
    ]);
  });

  it('marks the column that rows are sorted by', () => {
    expect(shownBy(pressed([]))[0]).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE$/);
    expect(shownBy(pressed(['r']))[0]).toMatch(/^NAME +READY +STATUS +RESTARTS↓ +AGE$/);
    expect(shownBy(pressed(['a']))[0]).toMatch(/RESTARTS +AGE↑$/);
    expect(shownBy(pressed(['S']))[0]).toMatch(/^NAME↓ /);
  });

  it('shows its keys on lines of their own in a terminal of 80 columns', () => {
    const { length } = shownBy(pressed(['?']), { ...table, rows: 50, columns: 200 });
    expect(shownBy(pressed(['?']), { ...table, rows: 50 })).toHaveLength(length);
  });

  it('shows its keys, and nothing of what is pressed meanwhile', () => {
    expect(shownBy(pressed(['?']))[0]).toMatch(/the row above/);
    expect(pressed(['?', 's'])).toEqual(notBrowsing);
  });

  it('is never wider or higher than the terminal', () => {
    for (const keys of [[], ['j'], ['j', '\r'], ['?'], ['s']]) {
      const on = { ...table, rows: 3, columns: 12 };
      const lines = shownBy(pressed(keys, on), on);
      expect(lines.length).toBeLessThanOrEqual(3);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(12);
    }
  });
});
