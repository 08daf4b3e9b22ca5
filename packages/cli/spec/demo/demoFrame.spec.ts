import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { demoFrame } from '../../src/demo/demoFrame.js';
import { textOf } from '../../src/output/line.js';
import { added, changeOf, healthOf, stateOf } from './stateOf.js';

const names = Array.from({ length: 12 }, (_, at) => `web-${String(at).padStart(2, '0')}`);
const state = stateOf(
  [0, { type: 'server', server: 'running' }],
  [250, { type: 'request' }],
  [500, changeOf('list', added(...names))],
  [500, healthOf('watching', 500, { lastEventAt: 900 })],
  [1_000, changeOf('watch', added('api'))],
  [1_100, { type: 'fault', text: 'c: all connections cut' }],
  [1_250, { type: 'check', check: { at: 1_250, count: 13, lost: 0 } }],
);
const draw = (columns: number, rows: number, of = state, more: { readonly now?: number; readonly help?: boolean } = {}): string[] =>
  demoFrame(of, { columns, rows, now: 1_500, wallNow: 5_000, hasKeys: true, help: false, ...more }).map(textOf);

describe('demoFrame', () => {
  it('has the table, and beside it the figures, the lanes and the story, where there is room', () => {
    const frame = draw(120, 30);
    expect(frame).toHaveLength(30);
    expect(frame[0]).toMatch(/^rx-informer: a live copy of the pods of another process\./);
    expect(frame[2]).toMatch(/^ {2}NAME +READY +STATUS +RESTARTS +AGE +health\$ {2}● watching 1\.0 s, event 0\.6 s ago$/);
    expect(frame[3]).toMatch(/^● api +1\/1 +Running +0 +5s +events {3}13, faults 1, relists 0, requests 1$/);
    expect(frame[4]).toMatch(/^ {2}web-00 .* lost {5}0 of 13 pods, compared 0\.3 s ago$/);
    expect(frame[6]).toMatch(/ added {4}─+▆─●──▶ 13$/);
    expect(frame[9]).toMatch(/ synced {3}─+●────▶ 1$/);
    expect(frame[10]).toMatch(/ health\$ {2}·+━━c━━▶ $/);
    expect(frame[11]).toMatch(/ ● 1 {2}▂▄▆█ more {2}━ live {2}┄ silent {2}✗ retrying$/);
    expect(frame[13]).toMatch(/ 0\.5 s {2}12 pods listed, now watched$/);
    expect(frame[14]).toMatch(/ 1\.1 s {2}c: all connections cut$/);
    expect(frame.at(-1)).toMatch(/^k kill the server .* q quit$/);
  });

  it('stacks them on a narrow terminal', () => {
    const frame = draw(80, 24);
    expect(frame).toHaveLength(24);
    expect(frame.slice(2, 5).map((line) => line.slice(0, 7))).toEqual(['health$', 'lost   ', 'events ']);
    expect(frame.slice(5, 10).map((line) => line.slice(0, 7).trim())).toEqual(['added', 'updated', 'deleted', 'synced', 'health$']);
    expect(frame[10]).toMatch(/^● 1 {2}▂▃▄▅▆▇█ 2 to 32 events {2}━ watching {2}┄ silent/);
    expect(frame[11]).toMatch(/^ {2}NAME/);
    expect(frame.at(-1)).toMatch(/^k kill server/);
  });

  it('says how many pods have no room', () => {
    const frame = draw(50, 12);
    expect(frame).toHaveLength(12);
    expect(frame.find((line) => line.includes('more'))).toBe('  … and 11 more');
    expect(frame.at(-1)).toBe('k kill e expire f freeze c cut 1-9 ? q');
  });

  it('fits every terminal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 80 }), (columns, rows) => {
        const frame = draw(columns, rows);
        expect(frame.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...frame.map((line) => line.length))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('shows a watch that is open and says nothing', () => {
    const frame = draw(80, 24, state, { now: 4_000 });
    expect(frame[2]).toBe('health$  ● watching 3.5 s, silent for 3.1 s');
    expect(frame[9]).toMatch(/━━c━━━┄+▶ $/);
  });

  it('breaks a message that is longer than its room, where there is height', () => {
    const long = stateOf(
      [0, { type: 'server', server: 'running' }],
      [500, { type: 'fault', text: 'f: connection frozen: open, but silent' }],
    );
    const told = (rows: number): string[] =>
      draw(120, rows, long)
        .map((line) => line.slice(74).trim())
        .filter((line) => /frozen|silent$/.test(line));
    expect(told(30)).toEqual(['0.5 s  f: connection frozen: open, but', 'silent']);
    expect(told(18)).toEqual(['0.5 s  f: connection frozen: open, but sile…']);
  });

  it('gives what to look for after each key, where there is room', () => {
    const frame = draw(200, 40);
    expect(frame[14]).toMatch(/ 1\.1 s {2}c: all connections cut$/);
    expect(frame[15]).toMatch(/ a new watch continues from the version of the last event, without a list$/);
  });

  it('explains the keys when it is asked to', () => {
    const frame = draw(80, 24, state, { help: true });
    expect(frame[2]).toMatch(/^k {4}kills the server/);
    expect(frame.join('\n')).toMatch(/^q {4}ends the demonstration/m);
    expect(frame.at(-1)).toMatch(/\? help/);
  });

  it('can be drawn before there is anything to show', () => {
    expect(draw(80, 24, stateOf())[2]).toBe('health$  ○ the API server is being started');
  });
});
