import { describe, expect, it } from '@jest/globals';
import { concat, defer, finalize, from, map, NEVER, type Observable, of, Subject, takeWhile, throwError, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from '../../../src/api/events.js';
import {
  initialEventsEndAnnotation,
  type ListChunk,
  type ListerWatcher,
  type ListRequest,
  type WatchChunk,
  type WatchEvent,
  type WatchRequest,
} from '../../../src/api/listerWatcher.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
import { reflect, reflectWith } from '../../../src/source/reflector/reflect.js';
import { reflectSettings, type ReflectOptions } from '../../../src/source/reflector/reflectOptions.js';
import { expiredStatus, statusError } from '../../../src/testing/fakes/serverErrors.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { bookmarkOf, errorEventOf, listOf, podOf, watchEventOf } from '../../../src/testing/suites/sourceConformanceCase.js';
import { record } from '../recording/record.js';

type Event = SourceEvent<KubernetesObject>;
/** Events that come together, or one alone; `[]` is a sign of life. */
type Line = WatchEvent<KubernetesObject> | WatchChunk<KubernetesObject>;
type Answers = Partial<Pick<ListerWatcher<KubernetesObject>, 'list' | 'watchList' | 'scope'>> & {
  watch?(this: void, request: WatchRequest): Observable<Line>;
};

const progress = [] as const;
const endOfList = bookmarkOf('10', { [initialEventsEndAnnotation]: 'true' });
const open = (...lines: readonly Line[]): Observable<Line> => concat(of<Line[]>(progress, ...lines), NEVER);

/** A source that logs which requests were sent, and which were unsubscribed from. */
function logged(
  { list = () => of(listOf('10', [])), watch = () => open(), ...more }: Answers,
  log: string[],
): ListerWatcher<KubernetesObject> {
  const noted = <V>(name: string, answer: () => Observable<V>): Observable<V> =>
    defer(() => {
      log.push(name);
      return answer().pipe(finalize(() => log.push(`end of ${name}`)));
    });
  return {
    list: (request: ListRequest) => noted(`list ${request.resourceVersion ?? ''}`.trimEnd(), () => list(request)),
    watch: (request: WatchRequest) =>
      noted(`watch ${request.resourceVersion ?? ''}`.trimEnd(), () => watch(request).pipe(map((line) => [line].flat()))),
    watchList: false,
    ...more,
  };
}

function text(event: Event): string {
  switch (event.type) {
    case 'page':
      return `page ${event.items.map(({ metadata }) => metadata?.name).join(' ')}`.trimEnd();
    case 'status':
      return event.error === undefined ? event.state : `${event.state} ${event.error.code}`;
    case 'init':
      return `init ${event.reason}`;
    case 'ready':
    case 'bookmark':
      return `${event.type} ${event.resourceVersion}`;
    default:
      return `${event.type} ${event.object.metadata?.name}`;
  }
}

function run(answers: Answers, options: ReflectOptions = {}) {
  const scheduler = new VirtualTimeScheduler();
  const log: string[] = [];
  const source = reflect(logged(answers, log), { scheduler, random: () => 0, ...options });
  const { values, errors, subscription } = record(source);
  return { scheduler, log, values, texts: () => values.map(text), errors, subscription };
}

describe('Reflector', () => {
  it('leaves a streamed list whose end does not come before it lists', () => {
    const { scheduler, log } = run({ watchList: true });
    advanceBy(scheduler, 2000);
    expect(log).toEqual(['watch', 'end of watch', 'list 0', 'end of list 0', 'watch 10']);
  });

  it.each<[string, (at: number) => Line, boolean]>([
    ['new keys', (at) => watchEventOf('ADDED', podOf(`pod-${at}`, '5')), true],
    ['a key that has come before', () => watchEventOf('ADDED', podOf('a', '5')), false],
    ['signs of life', () => progress, false],
  ])('waits for the end of a streamed list while %s come: %j (WL-14)', (_, line, waits) => {
    const lines = new Subject<Line>();
    const { scheduler, log } = run({ watch: () => lines, watchList: true }, { idleTimeoutMs: Infinity });
    lines.next(watchEventOf('ADDED', podOf('a', '5')));
    for (let at = 1; at <= 3; at += 1) {
      advanceBy(scheduler, 6000);
      lines.next(line(at));
    }
    expect(log.includes('list 0')).toBe(!waits);
  });

  const unreadable = (): never => {
    const trap = (): never => {
      throw new Error('trapped');
    };
    return new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap }) as never;
  };
  const endless = (line: Line): Observable<Line> => concat(of<Line>(progress), from([line]), NEVER);

  it.each<[string, Answers, string]>([
    ['a list', { list: () => from([unreadable()]) }, 'ERR_LIST'],
    ['the metadata of a list', { list: () => of({ ...listOf('10', []), metadata: unreadable() }) }, 'ERR_LIST'],
    ['the error of a list', { list: () => throwError(() => unreadable() as Error) }, 'ERR_LIST'],
    ['an object of a watch', { watch: () => endless({ type: 'ADDED', object: unreadable() }) }, 'ERR_WATCH'],
    ['a bookmark', { watch: () => endless({ type: 'BOOKMARK', object: unreadable() }) }, 'ERR_WATCH'],
    ['an event of a watch', { watch: () => endless(unreadable()) }, 'ERR_WATCH'],
    [
      'the error of a watch',
      {
        watch: () =>
          concat(
            of(progress),
            throwError(() => unreadable() as Error),
          ),
      },
      'ERR_WATCH',
    ],
  ])('reports %s that cannot be read, and tries again', (_, answers, code) => {
    const { scheduler, texts, errors } = run(answers);
    advanceBy(scheduler, 5_000);
    expect(texts().filter((line) => line.startsWith(`retrying ${code}`)).length).toBeGreaterThan(1);
    expect(errors).toEqual([]);
  });

  it('takes what a subscriber brings about in its turn', () => {
    const lines = new Subject<Line>();
    const log: string[] = [];
    const source = reflect(logged({ watch: () => concat(of(progress), lines) }, log), { scheduler: new VirtualTimeScheduler() });
    const seen: string[] = [];
    source.subscribe((event) => {
      seen.push(text(event));
      if (event.type !== 'added') return;
      lines.next(bookmarkOf('12'));
      lines.next(watchEventOf('MODIFIED', podOf('a', '13')));
    });
    lines.next(watchEventOf('ADDED', podOf('a', '11')));
    expect(seen.slice(-3)).toEqual(['added a', 'bookmark 12', 'modified a']);
    // Out of its turn, the bookmark would have a lower version than the change, which triggers a version check.
    expect(log).toEqual(['list 0', 'end of list 0', 'watch 10']);
  });

  it('takes changes that come together one after the other, and what their subscriber brings about behind them', () => {
    const lines = new Subject<Line>();
    const { values, log, subscription } = run({ watch: () => concat(of(progress), lines) });
    const [a, b, c] = ['a', 'b', 'c'].map((name, at) => watchEventOf('ADDED', podOf(name, String(11 + at)))) as [Line, Line, Line];
    lines.next([a, b, c].flat());
    expect(values.slice(-3)).toMatchObject([
      { type: 'added', resourceVersion: '11' },
      { type: 'added', resourceVersion: '12' },
      { type: 'added', resourceVersion: '13' },
    ]);
    lines.next([watchEventOf('MODIFIED', podOf('a', '14')), bookmarkOf('15'), watchEventOf('DELETED', podOf('b', '16'))]);
    expect(values.slice(-3).map(text)).toEqual(['modified a', 'bookmark 15', 'deleted b']);
    subscription.unsubscribe();
    expect(log).toEqual(['list 0', 'end of list 0', 'watch 10', 'end of watch 10']);

    const again = new Subject<Line>();
    const seen: string[] = [];
    reflect(logged({ watch: () => concat(of(progress), again) }, []), { scheduler: new VirtualTimeScheduler() }).subscribe((event) => {
      seen.push(text(event));
      if (event.type === 'added' && event.resourceVersion === '11') again.next(watchEventOf('MODIFIED', podOf('a', '13')));
    });
    again.next([a, b].flat());
    expect(seen.slice(-3)).toEqual(['added a', 'added b', 'modified a']);
  });

  it('emits nothing more of what has come together once it is unsubscribed from in the middle of it', () => {
    const lines = new Subject<Line>();
    const log: string[] = [];
    const source = reflect(logged({ watch: () => concat(of(progress), lines) }, log), { scheduler: new VirtualTimeScheduler() });
    const seen: string[] = [];
    const subscription = source.subscribe((event) => {
      if (event.type !== 'added') return;
      seen.push(text(event));
      if (seen.length === 2) subscription.unsubscribe();
    });
    lines.next(['a', 'b', 'c'].map((name, at) => watchEventOf('ADDED', podOf(name, String(11 + at)))));
    expect(seen).toEqual(['added a', 'added b']);
    expect(log.at(-1)).toBe('end of watch 10');
  });

  it('tells what came before an error in the same part, and nothing behind it', () => {
    const lines = new Subject<Line>();
    const { texts } = run({ watch: () => concat(of(progress), lines) });
    lines.next([watchEventOf('ADDED', podOf('a', '11')), errorEventOf(expiredStatus('1', '2')), watchEventOf('ADDED', podOf('b', '12'))]);
    expect(texts().slice(-3)).toEqual(['watching', 'added a', 'retrying ERR_WATCH_EXPIRED']);
  });

  it('takes nothing that comes behind what has made it leave a request', () => {
    let sent = 0;
    const watch = (): Observable<Line> => {
      sent += 1;
      const ghost = watchEventOf('ADDED', podOf('ghost', '9'));
      return sent === 1 ? open(errorEventOf(expiredStatus('1', '2')), ghost) : open(watchEventOf('ADDED', podOf('a', '8')), endOfList);
    };
    const { texts, log } = run({ watch, watchList: true }, { listSemantics: { notOlderThan: '5' } });
    expect(log).toEqual(['watch 5', 'end of watch 5', 'watch']);
    expect(texts()).toEqual(['listing', 'init first', 'listing ERR_WATCH_LIST', 'init first', 'added a', 'ready 10', 'watching']);
  });

  it('asks for nothing more once it is unsubscribed from while a request emits', () => {
    const log: string[] = [];
    const source = reflect(logged({ list: () => of(listOf('10', [podOf('a', '9')])) }, log), { scheduler: new VirtualTimeScheduler() });
    const { values } = record(source.pipe(takeWhile(({ type }) => type !== 'page', true)));
    expect(values.map(text)).toEqual(['listing', 'init first', 'page a']);
    expect(log).toEqual(['list 0', 'end of list 0']);
  });

  it('aborts a request once, and takes nothing of its end for the end of the next one (RW-16, RT-12)', () => {
    const lines = new Subject<Line>();
    const watch = (): Observable<Line> => concat(of(progress), lines);
    const { log, scheduler, subscription } = run({ watch, watchList: true });
    lines.next(bookmarkOf('9'));
    expect(log).toEqual(['watch', 'end of watch', 'list 0', 'end of list 0', 'watch 10']);
    subscription.unsubscribe();
    subscription.unsubscribe();
    advanceBy(scheduler, 86_400_000);
    expect(log.slice(5)).toEqual(['end of watch 10']);
  });

  describe('lists beside its watch', () => {
    function beside(listed: readonly Observable<ListChunk<KubernetesObject>>[], options: ReflectOptions = {}) {
      const lines = new Subject<Line>();
      const answers = [...listed];
      const ran = run(
        { list: () => answers.shift() ?? NEVER, watch: () => concat(of(progress), lines) },
        { relistPeriodMs: 20_000, ...options },
      );
      advanceBy(ran.scheduler, 19_999);
      ran.values.splice(0);
      advanceBy(ran.scheduler, 1);
      return { ...ran, lines };
    }

    it('and hands over what that watch has brought meanwhile', () => {
      const second = new Subject<ListChunk<KubernetesObject>>();
      const { lines, texts, log } = beside([of(listOf('10', [])), second]);
      lines.next(watchEventOf('ADDED', podOf('a', '11')));
      lines.next(watchEventOf('ADDED', podOf('b', '13')));
      second.next(listOf('12', [podOf('a', '11')]));
      second.complete();
      expect(texts()).toEqual(['added a', 'added b', 'init period', 'page a', 'added b', 'ready 13']);
      expect(log.slice(-3)).toEqual(['end of watch 10', 'watch 13', 'list']);
    });

    it('and hands over nothing of what came before that list had begun anew', () => {
      const [second, third] = [new Subject<ListChunk<KubernetesObject>>(), new Subject<ListChunk<KubernetesObject>>()];
      const { texts } = beside([of(listOf('10', [])), second, third, of(listOf('13', [podOf('b', '12')]))], { pageSize: 1 });
      second.next(listOf('12', [podOf('a', '11')], 'more'));
      second.complete();
      third.error(apiErrorOfStatus(expiredStatus('1', '2')));
      expect(texts()).toEqual(['watching ERR_LIST', 'init period', 'page b', 'ready 13']);
    });

    it('and hands over nothing of what that watch has brought where the server has gone back', () => {
      const second = new Subject<ListChunk<KubernetesObject>>();
      const { lines, texts, log } = beside([of(listOf('10', [])), second]);
      lines.next(watchEventOf('ADDED', podOf('a', '13')));
      second.next(listOf('7', [podOf('b', '6')]));
      second.complete();
      expect(texts()).toEqual(['added a', 'init period', 'page b', 'ready 7']);
      expect(log.at(-1)).toBe('watch 7');
    });

    it('and tells its failures without a word about the watch, which is as it was', () => {
      const { texts, errors } = beside([of(listOf('10', [])), throwError(() => statusError(403, 'Forbidden', 'no'))]);
      expect(texts()).toEqual(['watching ERR_LIST']);
      expect(errors).toEqual([]);
    });

    it('and ends where it is told to', () => {
      const { errors } = beside([of(listOf('10', [])), throwError(() => statusError(403, 'Forbidden', 'no'))], { onError: () => 'stop' });
      expect(errors).toMatchObject([{ code: 'ERR_LIST' }]);
    });

    it('and gives that up with the watch', () => {
      const second = new Subject<ListChunk<KubernetesObject>>();
      const { lines, texts, scheduler } = beside([of(listOf('10', [])), second, of(listOf('20', []))]);
      expect(second.observed).toBe(true);
      lines.next(errorEventOf(expiredStatus('1', '2')));
      expect(second.observed).toBe(false);
      second.next(listOf('12', [podOf('a', '11')]));
      second.complete();
      advanceBy(scheduler, 1000);
      expect(texts().filter((line) => !line.startsWith('listing') && !line.startsWith('watching'))).toEqual([
        'retrying ERR_WATCH_EXPIRED',
        'init expired',
        'ready 20',
      ]);
    });
  });

  describe('looks at the version', () => {
    it('of a server that answers, for as long as a list may take', () => {
      const { texts, scheduler, log } = resumed({ list: () => NEVER }, { listTimeoutMs: 5000 });
      advanceBy(scheduler, 4999);
      expect(texts()).toEqual([]);
      advanceBy(scheduler, 1);
      expect(texts()).toEqual(['retrying ERR_LIST']);
      expect(log).toEqual(['watch 10', 'list', 'end of list']);
    });

    it('for ever where a list may take for ever', () => {
      const { texts, scheduler } = resumed({ list: () => NEVER }, { listTimeoutMs: Infinity, idleTimeoutMs: Infinity });
      advanceBy(scheduler, 86_400_000);
      expect(texts()).toEqual([]);
    });

    it('and takes the version from whichever part of the answer has it, or trusts the server where none has', () => {
      const part = { items: [] };
      const gone = ['listing ERR_WATCH_EXPIRED', 'init expired', 'ready 7', 'watching'];
      expect(resumed({ list: () => of(part, listOf('7', []), part) }).texts()).toEqual(gone);
      expect(resumed({ list: () => of(part) }).texts()).toEqual(['watching']);
      expect(resumed({ list: () => of(listOf(7 as never, []), listOf(null as never, [])) }).texts()).toEqual(['watching']);
    });

    it('by a list of one object', () => {
      const limits: unknown[] = [];
      resumed({ list: ({ limit }) => (limits.push(limit), of(listOf('10', []))) });
      expect(limits).toEqual([1]);
    });
  });
});

function resumed(answers: Answers, options: ReflectOptions = {}, relist$?: Observable<void>) {
  const scheduler = new VirtualTimeScheduler();
  const log: string[] = [];
  const settings = reflectSettings({ scheduler, random: () => 0, ...options });
  const { values, errors } = record(reflectWith(logged(answers, log), settings, { from: '10', relist$ }));
  return { scheduler, log, texts: () => values.map(text), errors };
}

describe('reflectWith', () => {
  it('begins with a watch from a version, which it trusts when the server has reached it', () => {
    const { texts, log } = resumed({});
    expect(log).toEqual(['watch 10', 'list', 'end of list']);
    expect(texts()).toEqual(['watching']);
  });

  it('lists instead where the server has not reached that version', () => {
    const { texts, log } = resumed({ list: () => of(listOf('7', [podOf('a', '5')])) });
    expect(log).toEqual(['watch 10', 'list', 'end of list', 'end of watch 10', 'list', 'end of list', 'watch 7']);
    expect(texts()).toEqual(['listing ERR_WATCH_EXPIRED', 'init expired', 'page a', 'ready 7', 'watching']);
  });

  it('lists whenever it is asked to', () => {
    const relist$ = new Subject<void>();
    const { texts, log, scheduler } = resumed({}, {}, relist$);
    relist$.next();
    advanceBy(scheduler, 0);
    expect(log.slice(3)).toEqual(['list', 'end of list', 'end of watch 10', 'watch 10']);
    expect(texts()).toEqual(['watching', 'init period', 'ready 10']);
  });

  it('completes the list that it is asked for, however often it is asked meanwhile', () => {
    const relist$ = new Subject<void>();
    const lists = [new Subject<ListChunk<KubernetesObject>>(), new Subject<ListChunk<KubernetesObject>>()];
    let asked = 0;
    const list = ({ limit }: ListRequest) => (limit === 1 ? of(listOf('10', [])) : (lists[asked++] ?? NEVER));
    const { texts, scheduler } = resumed({ list }, {}, relist$);
    for (const answer of lists) {
      for (let times = 0; times < 3; times += 1) {
        relist$.next();
        advanceBy(scheduler, 0);
        expect(lists.map(({ observed }) => observed)).toEqual(lists.map((each) => each === answer));
      }
      answer.next(listOf('11', [podOf('a', '9')]));
      answer.complete();
    }
    expect(texts()).toEqual(['watching', 'init period', 'page a', 'ready 11', 'init period', 'page a', 'ready 11']);
  });

  it('lists after its period, which begins with the watch', () => {
    const { log, scheduler } = resumed({}, { relistPeriodMs: 5_000 });
    advanceBy(scheduler, 4_999);
    expect(log).toHaveLength(3);
    advanceBy(scheduler, 1);
    expect(log.slice(3)).toEqual(['list', 'end of list', 'end of watch 10', 'watch 10']);
  });

  it('fails with what asks for lists', () => {
    const { errors } = resumed(
      {},
      {},
      throwError(() => new Error('no more')),
    );
    expect(errors).toEqual([new Error('no more')]);
  });
});

describe('reflect: the scope of its source', () => {
  const eventsOf = (more: Answers): Event[] =>
    run({
      list: () => of(listOf('10', [podOf('a', '9')])),
      watch: () => open(watchEventOf('MODIFIED', podOf('a', '11')), bookmarkOf('12')),
      ...more,
    }).values;

  it('is in every event', () => {
    const values = eventsOf({ scope: 'ns' });
    expect(values.map(({ type }) => type)).toEqual(['status', 'init', 'page', 'ready', 'status', 'modified', 'bookmark']);
    expect(values.every((event) => event.scope === 'ns')).toBe(true);
  });

  it.each([{}, { scope: '' }])('is empty where a list begins and ends, and in no other event: %j', (more) => {
    const scoped = eventsOf(more).flatMap((event) => ('scope' in event ? [[event.type, event.scope]] : []));
    expect(scoped).toEqual([
      ['init', ''],
      ['ready', ''],
    ]);
  });
});
