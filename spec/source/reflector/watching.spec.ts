import { describe, expect, it } from '@jest/globals';
import type { WatchEvent } from '../../../src/api/listerWatcher.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { Happening, Look, WatchingState } from '../../../src/source/reflector/state.js';
import { connectionError, failureStatus, statusError } from '../../../src/testing/fakes/serverErrors.js';
import { bookmarkOf, errorEventOf, podOf, watchEventOf } from '../../../src/testing/suites/sourceConformanceCase.js';
import { step } from '../../../src/source/reflector/step.js';
import { begin, contextOf, effectText, memoryOf, stepped, unopened, watchingOf } from './stepping.js';

const progress = { type: 'progress' } as const;

function line(event: WatchEvent<KubernetesObject>): Happening<KubernetesObject> {
  return { type: 'line', line: event, isNew: false };
}

const modified = (version: string): Happening<KubernetesObject> => line(watchEventOf('MODIFIED', podOf('a', version)));

const due: Look = { version: '10', asked: false, dueAt: begin + 1000, failures: 0, ofOrder: false, again: false };
const asked: Look = { ...due, asked: true };

describe('watching', () => {
  describe('takes lines', () => {
    it.each<[string, Partial<WatchingState>, Happening<KubernetesObject>, string[], Partial<WatchingState>]>([
      ['a change (RW-17)', {}, modified('12'), ['modified a@12'], { version: '12', events: 1, dueAt: begin + 75_005 }],
      ['a deletion (RW-17)', {}, line(watchEventOf('DELETED', podOf('a', '12'))), ['deleted a@12'], { version: '12' }],
      ['a bookmark (RW-18, RW-23)', {}, line(bookmarkOf('15')), ['bookmark 15'], { version: '15', events: 1 }],
      ['a sign of life', {}, progress, [], { version: '10', openedAt: begin, events: 0, dueAt: begin + 75_005 }],
      ['the first sign of life', unopened, progress, ['watching'], { openedAt: begin + 5 }],
      ['a first line', unopened, modified('12'), ['watching', 'modified a@12'], { openedAt: begin + 5, version: '12' }],
      ['an object without a version', {}, modified(''), ['watching ERR_NO_RESOURCE_VERSION', 'modified a@'], { version: '10', events: 1 }],
      [
        'an object that has no version at all',
        {},
        line(watchEventOf('MODIFIED', { metadata: { name: 'a' } })),
        ['watching ERR_NO_RESOURCE_VERSION', 'modified a@'],
        { version: '10', events: 1 },
      ],
      ['a bookmark without a version', {}, line(bookmarkOf('')), ['watching ERR_NO_RESOURCE_VERSION'], { version: '10', events: 1 }],
      [
        'a bookmark with version 0, from where no watch continues',
        {},
        line(bookmarkOf('0')),
        ['bookmark 10'],
        { version: '10', events: 1 },
      ],
      ['an object with version 0', {}, modified('0'), ['modified a@0'], { version: '10', events: 1, look: undefined }],
      ...[12, null, true].flatMap(
        (version): [string, Partial<WatchingState>, Happening<KubernetesObject>, string[], Partial<WatchingState>][] => [
          [
            `an object whose version is ${JSON.stringify(version)}`,
            {},
            modified(version as never),
            ['watching ERR_NO_RESOURCE_VERSION', `modified a@${String(version)}`],
            { version: '10', events: 1 },
          ],
          [
            `a bookmark whose version is ${JSON.stringify(version)}`,
            {},
            line(bookmarkOf(version as never)),
            ['watching ERR_NO_RESOURCE_VERSION'],
            { version: '10', events: 1 },
          ],
        ],
      ),
      [
        'an unknown type (RW-19)',
        {},
        line({ type: 'RENAMED', object: podOf('a', '12') } as never),
        ['watching ERR_WATCH'],
        { version: '10', events: 0 },
      ],
      ['an object without metadata (RW-19)', {}, line(watchEventOf('ADDED', {})), ['watching ERR_WATCH'], { version: '10', events: 0 }],
      [
        'initial events of a watch without a version (RW-22)',
        { ordered: false, version: '0' },
        line(watchEventOf('ADDED', podOf('a', '7'))),
        ['added a@7'],
        { version: '0', ordered: false },
      ],
      [
        'what comes behind those (RW-22)',
        { ordered: false, version: '0' },
        modified('8'),
        ['modified a@8'],
        { version: '8', ordered: true },
      ],
      [
        'a bookmark behind those (RW-22)',
        { ordered: false, version: '0' },
        line(bookmarkOf('8')),
        ['bookmark 8'],
        { version: '8', ordered: true },
      ],
    ])('%s', (_, before, happening, done, after) => {
      const result = stepped(watchingOf(before), happening, { ms: 5 });
      expect(result.done).toEqual(done);
      expect(result.state).toMatchObject(after);
    });

    it.each<[string, KubernetesObject, boolean]>([
      ['the expected kind', { apiVersion: 'v1', kind: 'Pod' }, true],
      ['no kind', {}, true],
      ['the kind alone', { kind: 'Pod' }, true],
      ['another kind', { apiVersion: 'v1', kind: 'Service' }, false],
      ['another version', { apiVersion: 'v2', kind: 'Pod' }, false],
      ['a Table (RL-13)', { apiVersion: 'meta.k8s.io/v1', kind: 'Table' }, false],
    ])('of %s (RW-19)', (_, kind, isTaken) => {
      const happening = line(watchEventOf('ADDED', { ...kind, metadata: { name: 'a', resourceVersion: '12' } }));
      const { done } = stepped(watchingOf(), happening, { source: { expected: { apiVersion: 'v1', kind: 'Pod' } } });
      expect(done).toEqual([isTaken ? 'added a@12' : 'watching ERR_WATCH']);
    });

    it('an ERROR event for the end (RW-13, RW-14)', () => {
      const error = line(errorEventOf(failureStatus(500, 'InternalError', 'etcd')));
      expect(stepped(watchingOf(), error).done).toEqual(['leave', 'retrying ERR_WATCH #1 in 800']);
      expect(stepped(watchingOf(), line(errorEventOf({ kind: 'Pod', code: 410 }))).state).toMatchObject({
        type: 'waiting',
        next: { reason: 'error' },
      });
    });
  });

  describe('looks at the version of the server', () => {
    it('as soon as the watch is open, and trusts it when that has come back', () => {
      const opened = stepped(watchingOf({ ...unopened, look: due }), progress, { ms: 5 });
      expect(opened.done).toEqual(['look']);
      expect(opened.state).toMatchObject({ look: { asked: true, version: '10' } });
      const looked = stepped(opened.state, { type: 'looked', resourceVersion: '10' }, { ms: 9 });
      expect(looked.done).toEqual(['watching']);
      expect(looked.state).toMatchObject({ look: undefined, memory: { unordered: false } });
    });

    it('not at once when the watch opens where it has failed before', () => {
      const look = { ...due, failures: 1, dueAt: begin + 800 };
      const opened = stepped(watchingOf({ ...unopened, look }), progress, { ms: 5 });
      expect(opened).toMatchObject({ done: [], state: { openedAt: begin + 5, look } });
      expect(stepped(opened.state, { type: 'due' }, { ms: 800 }).done).toEqual(['look']);
    });

    it('once, also where versions go down again meanwhile', () => {
      const state = watchingOf({ version: '55', look: { ...asked, version: '60' } });
      expect(stepped(state, modified('32'))).toMatchObject({ done: ['modified a@32'], state: { version: '32', look: { version: '60' } } });
    });

    it('a second later where the headers are held back, and trusts it when it is open', () => {
      const state = watchingOf({ ...unopened, look: due });
      expect(stepped(state, { type: 'due' }, { ms: 999 }).done).toEqual([]);
      const asks = stepped(state, { type: 'due' }, { ms: 1000 });
      expect(asks.done).toEqual(['look']);
      const looked = stepped(asks.state, { type: 'looked', resourceVersion: '99' }, { ms: 1005 });
      expect(looked.done).toEqual([]);
      expect(stepped(looked.state, progress, { ms: 2000 }).done).toEqual(['watching']);
    });

    it.each([
      ['9', true],
      ['10', false],
      ['11', false],
      ['100', false],
      ['', false],
      ['earlier', false],
    ])('and lists where it has gone back: %j', (resourceVersion, isBack) => {
      const { state, done } = stepped(watchingOf({ look: asked }), { type: 'looked', resourceVersion });
      expect(done).toEqual(isBack ? ['leave', 'listing ERR_WATCH_EXPIRED', 'init expired 10', 'WATCHLIST most recent'] : []);
      expect(state.memory.versionUnavailable).toBe(isBack);
    });

    it('compares with what was seen before it asked, and not with what the watch has brought meanwhile', () => {
      const watched = stepped(watchingOf({ look: asked }), modified('12'));
      expect(stepped(watched.state, { type: 'looked', resourceVersion: '10' }).done).toEqual([]);
      const asks = stepped(watchingOf({ version: '12', look: due }), { type: 'due' }, { ms: 1000 });
      expect(asks.state).toMatchObject({ look: { version: '12' } });
    });

    it('again later when that fails; the watch goes on, and is not trusted', () => {
      const failed = stepped(watchingOf({ look: asked }), { type: 'lookFailed', error: statusError(429, 'TooManyRequests', 'busy', 5000) });
      expect(failed.done).toEqual(['retrying ERR_LIST #1 in 5000']);
      expect(stepped(failed.state, modified('12')).done).toEqual(['modified a@12']);
      expect(stepped(failed.state, { type: 'due' }, { ms: 4999 }).done).toEqual([]);
      const again = stepped(failed.state, { type: 'due' }, { ms: 5000 });
      expect(again.done).toEqual(['look']);
      expect(stepped(again.state, { type: 'lookFailed', error: statusError(401, 'Unauthorized', '') }, { ms: 5000 }).done).toEqual([
        'retrying ERR_AUTH #2 in 6600',
      ]);
      expect(stepped(again.state, { type: 'looked', resourceVersion: '12' }, { ms: 6000 }).done).toEqual(['watching']);
    });

    it('by the backoff where nothing answers: the watch is the one that connects', () => {
      const unanswered = { type: 'lookFailed', error: connectionError('ECONNRESET') } as const;
      const first = stepped(watchingOf({ look: asked }), unanswered);
      const second = stepped(first.state, unanswered);
      expect([first.done, second.done]).toEqual([['retrying ERR_LIST #1 in 800'], ['retrying ERR_LIST #2 in 1600']]);
    });

    it('once more where the watch that it was asked for has ended meanwhile', () => {
      const ended = stepped(watchingOf({ look: asked, events: 1, version: '12' }), { type: 'closed' }, { ms: 50 });
      expect(ended.state).toMatchObject({ look: { asked: true, again: true } });
      const open = stepped(ended.state, progress, { ms: 55 });
      expect(open.done).toEqual([]);
      const looked = stepped(open.state, { type: 'looked', resourceVersion: '12' }, { ms: 60 });
      expect(looked.done).toEqual(['look']);
      expect(stepped(looked.state, { type: 'looked', resourceVersion: '12' }, { ms: 70 }).state).toMatchObject({ look: undefined });
    });

    it('when a version goes down, which it takes as it is (RW-21)', () => {
      const fell = stepped(watchingOf({ version: '55' }), modified('32'));
      expect(fell.done).toEqual(['modified a@32', 'look']);
      expect(fell.state).toMatchObject({ version: '32', look: { version: '55', asked: true } });
      expect(stepped(fell.state, { type: 'looked', resourceVersion: '40' }).done[1]).toBe('listing ERR_WATCH_EXPIRED');
    });

    it('once only where that says nothing: the versions of this source come in no order', () => {
      const fell = stepped(watchingOf({ version: '55' }), line(bookmarkOf('32')));
      expect(fell.done).toEqual(['bookmark 32', 'look']);
      const looked = stepped(fell.state, { type: 'looked', resourceVersion: '60' });
      expect(looked.state.memory.unordered).toBe(true);
      expect(stepped(looked.state, modified('31')).done).toEqual(['modified a@31']);
    });
  });

  describe('makes a periodic list', () => {
    const period = { memory: memoryOf({ relistAt: begin + 10_000, failures: 3 }) };

    it('beside the watch, when it is due', () => {
      expect(stepped(watchingOf(period), { type: 'due' }, { ms: 9999 }).done).toEqual([]);
      const { state, done } = stepped(watchingOf({ ...period, version: '12' }), { type: 'due' }, { ms: 10_000 });
      expect(done).toEqual(['relist']);
      expect(state).toMatchObject({ type: 'watching', relistedFrom: '12', memory: { relistAt: Infinity } });
    });

    it('which is consistent, and counts no failures of the watch', () => {
      const known = memoryOf({ relistAt: begin, failures: 3, connectionFailures: 2 });
      const { effects } = step(watchingOf({ memory: known, version: '12' }), { type: 'due' }, begin, contextOf());
      const memory = { ...known, version: '12', failures: 0, connectionFailures: 0, consistent: true };
      expect(effects).toEqual([{ do: 'relist', memory }]);
    });

    it('in its place where the source cannot do both', () => {
      const context = contextOf({ listStrategy: 'list' });
      const alone = { ...context, settings: { ...context.settings, relistBesideWatch: false } };
      const { state, effects } = step(watchingOf({ ...period, version: '12' }), { type: 'due' }, begin + 10_000, alone);
      expect(effects.map(effectText)).toEqual(['leave', 'listing', 'init period 12', 'LIST most recent limit=500']);
      expect(state).toMatchObject({ type: 'listing', memory: { relistAt: Infinity } });
    });

    it.each<[string, WatchingState, string, string[], string | undefined]>([
      ['nothing has come since', watchingOf({ relistedFrom: '10' }), '10', ['init period 10', 'hand over above 10', 'ready 10'], undefined],
      [
        'it is newer',
        watchingOf({ relistedFrom: '10', version: '12' }),
        '15',
        ['init period 12', 'hand over above 15', 'ready 15'],
        undefined,
      ],
      [
        'the watch is newer, and the server is doubted',
        watchingOf({ relistedFrom: '10', version: '17' }),
        '15',
        ['init period 17', 'hand over above 15', 'ready 17'],
        '17',
      ],
      [
        'the server has gone back',
        watchingOf({ relistedFrom: '10', version: '17' }),
        '5',
        ['init period 17', 'hand over above undefined', 'ready 5'],
        undefined,
      ],
    ])('and takes it over when it is complete: %s', (_, state, resourceVersion, done, doubtedAt) => {
      const relisted = stepped(state, { type: 'relisted', resourceVersion }, { options: { relistPeriodMs: 10_000 } });
      expect(relisted.done).toEqual([...done, 'leave', `WATCH ${done.at(-1)?.slice('ready '.length)}`]);
      expect(relisted.state.memory).toMatchObject({ relistAt: begin + 10_000, doubtedAt });
    });

    it('only once at a time', () => {
      expect(stepped(watchingOf({ ...period, relistedFrom: '10', memory: memoryOf() }), { type: 'due' }, { ms: 20_000 }).done).toEqual([]);
    });
  });
});
