import type { InformerFacts, ViewFacts } from '../facts.js';
import { type Child, type Drawn, h } from './draw.js';
import type { TimelineEntry } from '../timeline.js';
import { graph } from './graph.js';
import { rate } from './rates.js';
import {
  badge,
  collections,
  open,
  bytes,
  clock,
  counted,
  differences,
  div,
  duration,
  failureOf,
  line,
  nameOf,
  type Page,
  resultOf,
  rows,
  section,
  stateTone,
  table,
  type Thing,
  thingsOf,
  took,
} from './shared.js';

function warnings({ answer }: Page): Drawn {
  if (answer.warnings.length === 0) return line('well', 'Nothing to warn of.');
  return h(
    'ul',
    { class: 'warnings' },
    answer.warnings.map(({ code, message, remedy, link }) =>
      h('li', {}, h('strong', {}, code), h('p', {}, message), line('remedy', remedy), h('small', {}, link)),
    ),
  );
}

/** The cells of a row, and below them the error, if there is one. */
const withProblem = (cells: readonly Child[], error: { readonly message: string } | undefined, attempt?: number): (readonly Child[])[] =>
  error === undefined ? [cells] : [cells, [div('bad', `${attempt === undefined ? '' : `attempt ${attempt}: `}${error.message}`)]];

function informerRows(page: Page, { id, facts, bytes: size }: Thing<InformerFacts>): (readonly Child[])[] {
  const { name, selection, state, forMs, resourceVersion, objects, subscribers, reads, staleMs, error, attempt } = facts;
  const cells = [
    [open(page, id, name), div('under', selection)],
    [badge(state, stateTone(state)), div('under', `for ${duration(forMs)}`)],
    resourceVersion,
    objects,
    size === undefined ? '' : `≈\u00a0${bytes(size)}`,
    rate(id),
    subscribers,
    reads.reads,
    staleMs === undefined ? '' : duration(staleMs),
  ];
  return withProblem(cells, error, attempt);
}

function viewRows(page: Page, { id, facts, bytes: size }: Thing<ViewFacts>): (readonly Child[])[] {
  const { name, state, objects, computed, unchanged, failed, durationMs, inputs, error } = facts;
  const cells = [
    [open(page, id, name), div('under', `of ${inputs.join(', ')}`)],
    badge(state, stateTone(state)),
    objects,
    size === undefined ? '' : `≈\u00a0${bytes(size)}`,
    rate(id),
    computed,
    unchanged,
    failed,
    duration(durationMs),
  ];
  return withProblem(cells, error);
}

function behind(page: Page): Drawn {
  const all = thingsOf(page.answer, 'informer').flatMap(({ facts }) =>
    facts.consumers.map((consumer) => ({ ...consumer, of: facts.name })),
  );
  const why = (slow: number, behindMs: number): string =>
    slow > 0 ? 'its calls are slow' : behindMs > 0 ? 'it waits for what its calls have returned' : '';
  all.sort((one, other) => other.waiting - one.waiting);
  return table(
    ['who', 'of', 'waiting', 'behind', 'delivered', 'slowest'],
    all.map(({ name, of, waiting, behindMs, delivered, slow, slowestMs }) => [
      ...[[name, div('under', why(slow, behindMs))], of],
      ...[waiting > 0 ? h('b', { class: 'bad' }, waiting) : '0', behindMs > 0 ? duration(behindMs) : '', delivered],
      slow > 0 && h('span', { class: 'bad' }, `${duration(slowestMs)}, ${slow} × over 50 ms`),
    ]),
    'No handler, events() or process(): subscribers of resource$ are called at once, and are never behind.',
  );
}

function overview(page: Page): Child {
  const managers = thingsOf(page.answer, 'manager');
  const views = thingsOf(page.answer, 'view');
  const running = managers.map(({ facts: { name, state, problems } }) => [
    name,
    badge(state, state === 'running' ? 'good' : 'mild'),
    problems.join('; '),
  ]);
  const informerHeads = ['name', 'state', 'version', 'objects', 'size', 'changes', 'subscribers', 'reads', 'last heard'];
  const informers = thingsOf(page.answer, 'informer').flatMap((thing) => informerRows(page, thing));
  const viewHeads = ['name', 'state', 'objects', 'size', 'changes', 'computed', 'unchanged', 'failed', 'time'];
  const viewCells = views.flatMap((thing) => viewRows(page, thing));
  return [
    section('Warnings', warnings(page)),
    managers.length > 0 && section('Manager', table(['controllers', 'state', 'problems'], running, '')),
    section('Informers', table(informerHeads, informers, 'No informer runs.')),
    section('Who is behind', behind(page)),
    views.length > 0 && section('Views', table(viewHeads, viewCells, '')),
  ];
}

function chooser(page: Page, all: string | undefined): Drawn {
  const { state, set } = page;
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    set({ of: value === '' ? undefined : Number(value), from: 0, key: undefined });
  };
  const options = collections(page).map(({ id, facts }) =>
    h('option', { value: String(id), selected: state.of === id }, `${facts.name} (${facts.objects})`),
  );
  const everything = all !== undefined && h('option', { value: '', selected: state.of === undefined }, all);
  return div(
    'bar',
    h('select', { onchange: choose, 'aria-label': 'collection' }, everything, options),
    h('input', {
      ...{ type: 'search', placeholder: 'search keys', 'aria-label': 'search keys', value: state.search },
      oninput: (event: Event) => set({ search: (event.currentTarget as HTMLInputElement).value, from: 0 }),
    }),
  );
}

function objects(page: Page): Child {
  const { state, answer, set } = page;
  const all = collections(page);
  // The chosen one may have stopped.
  if (all[0] !== undefined && !all.some(({ id }) => id === state.of)) set({ of: all[0].id, key: undefined });
  return [
    chooser(page, undefined),
    answer.objects === undefined ? line('empty', 'Choose a collection.') : line('under', counted(answer.objects.total, 'object')),
    answer.objects !== undefined &&
      rows(page, answer.objects, (key) =>
        h('button', { class: `link ${key === state.key ? 'chosen' : ''}`, onclick: () => set({ key }) }, key),
      ),
  ];
}

/** The opened object: its content, its changes, and their causes. */
export function openObject({ state, answer, set }: Page): Child {
  const shown = answer.open;
  if (state.key === undefined || shown === undefined) return false;
  const text = typeof shown.object === 'string' ? shown.object : (JSON.stringify(shown.object, null, 2) as string | undefined);
  return h(
    'aside',
    {},
    h('header', {}, h('h2', {}, shown.key), h('button', { onclick: () => set({ key: undefined }), 'aria-label': 'close' }, '×')),
    state.at !== undefined && line('under', `as it was at ${clock(state.at)}`),
    h('h3', {}, `Changes (${shown.total})`),
    shown.versions.length === 0 && line('empty', state.at === undefined ? 'None since the inspector began.' : 'None before that.'),
    shown.versions.map(({ at, type, differences: all }) =>
      h(
        'details',
        { key: String(at) },
        h('summary', {}, `${clock(at)} ${type}${all.length === 0 ? '' : `, ${counted(all.length, 'part')}`}`),
        differences(all),
      ),
    ),
    shown.drops.length > 0 && [
      h('h3', {}, 'Why was it not delivered?'),
      h(
        'ul',
        { class: 'differences' },
        shown.drops.map(({ at, cause, number }) => h('li', { key: String(number) }, `${clock(at)} ${cause}`)),
      ),
    ],
    shown.explanation !== undefined && [h('h3', {}, 'Explanation'), h('pre', {}, JSON.stringify(shown.explanation, null, 2))],
    h('h3', {}, 'Object'),
    shown.cut !== undefined && line('bad', `It has ${shown.cut} characters; this is its beginning.`),
    h('pre', {}, text ?? 'It is not there.'),
  );
}

const marbleTone: Readonly<Record<string, string>> = {
  added: 'added',
  updated: 'updated',
  deleted: 'deleted',
  list: 'list',
  dropped: 'dropped',
};

function marbles(page: Page): Child {
  const { answer, state } = page;
  const all = answer.timeline?.marbles ?? [];
  const [end, span] = [state.at ?? answer.now, 60_000];
  const lanes = [...new Set(all.map(({ of }) => of))].slice(0, 8);
  const marble = ({ at, type }: (typeof all)[number]): Drawn =>
    h('circle', { cx: `${(100 - ((end - at) / span) * 100).toFixed(1)}%`, cy: 10, r: 5, class: marbleTone[type] ?? 'updated' });
  const lane = (of: number): Drawn => {
    const name = nameOf(answer, of);
    const shown = all.filter((each) => each.of === of && end - each.at <= span).map(marble);
    const axis = h('line', { x1: 0, y1: 10, x2: '100%', y2: 10 });
    const chart = h('svg', { role: 'img', 'aria-label': `changes of ${name} in the last minute` }, axis, shown);
    return h('div', { class: 'lane', key: String(of) }, h('span', { title: name }, name), chart);
  };
  const legend = Object.keys(marbleTone).map((type) => [badge(type, type), ' ']);
  return div('marbles', lanes.map(lane), h('small', {}, 'The last 60 s of the slider: ', legend));
}

/** A text of a row that may be cut. */
const faint = (text: string): Drawn => h('span', { class: 'under', title: text }, text);

function summary({ cause, count, differences: all, type }: TimelineEntry): string {
  if (type === 'dropped') return count === undefined ? cause : counted(count, 'object');
  if (count !== undefined) return `${counted(count, 'object')} at once`;
  if (type !== 'updated') return '';
  // The resourceVersion changes every time: leave it out.
  const paths = all.map(({ path }) => path.join('.')).filter((path) => !/^metadata\.(resourceVersion|generation)$/.test(path));
  return `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
}

function timeline(page: Page): Child {
  const { answer, state, set } = page;
  const shown = answer.timeline;
  if (shown === undefined) return false;
  const since = shown.since ?? answer.now;
  const at = state.at ?? answer.now;
  const slide = (event: Event): void => set({ at: Number((event.currentTarget as HTMLInputElement).value), paused: true });
  const hold = (): void => set(state.paused ? { paused: false, at: undefined } : { paused: true, at: answer.now });
  const range = { min: Math.floor(since), max: Math.ceil(answer.now), value: Math.round(at) };
  return [
    div(
      'bar',
      h('button', { onclick: hold }, state.paused ? 'Go on' : 'Pause'),
      h('input', { type: 'range', ...range, oninput: slide, 'aria-label': 'moment' }),
      h('span', { class: 'under' }, clock(at)),
    ),
    chooser(page, 'all collections'),
    marbles(page),
    line(
      'under',
      `${counted(shown.total, 'change')}${state.of === undefined ? ', ' : ' of it; of all, '}${shown.entries} kept in ${bytes(shown.bytes)} since ${clock(since)}. `,
      shown.dropped > 0 && `${shown.dropped} older ones were dropped for want of room. `,
      shown.skipped > 0 && h('b', { class: 'bad' }, `${shown.skipped} came faster than they could be compared, and are missing.`),
    ),
    rows(page, shown, (entry) => [
      h('time', {}, clock(entry.at)),
      badge(entry.type, marbleTone[entry.type] ?? ''),
      state.of === undefined && h('span', { class: 'of' }, nameOf(answer, entry.of)),
      entry.key === undefined
        ? h('span', {}, entry.cause)
        : h('button', { class: 'link', onclick: () => set({ of: entry.of, key: entry.key }) }, entry.key),
      faint(summary(entry)),
    ]),
  ];
}

function queues({ answer }: Page): Child {
  const loops = thingsOf(answer, 'controller');
  const names = new Set(loops.map(({ facts }) => facts.name));
  // A controller's queue is shown with the controller, unless items wait.
  const all = thingsOf(answer, 'queue').filter(({ facts }) => !names.has(facts.name) || facts.waiting > 0);
  return [
    h('h2', {}, 'Controllers'),
    table(
      ['name', 'phase', 'waiting', 'later', 'at work', 'rate', 'succeeded', 'failed', 'most called'],
      loops.map(({ id, facts }) => [
        ...[facts.name, badge(facts.phase, facts.phase === 'running' ? 'good' : 'mild'), facts.waiting, facts.delayed],
        facts.running.map(({ key, forMs, attempt }) =>
          h('div', {}, `${key} for ${duration(forMs)}${attempt > 1 ? `, attempt ${attempt}` : ''}`),
        ),
        ...[rate(id), facts.succeeded, facts.failed, facts.busiest && `${facts.busiest.key}: ${facts.busiest.calls} in a minute`],
      ]),
      'No controller runs.',
    ),
    loops
      .filter(({ facts }) => facts.failing.length > 0)
      .map(({ facts }) => [
        h('h3', {}, `Failing keys of ${facts.name}`),
        table(
          ['key', 'attempts', 'error'],
          facts.failing.map(({ key, attempts, message }) => [key, attempts, h('span', { class: 'bad' }, message)]),
          '',
        ),
      ]),
    h('h2', {}, 'Queues'),
    table(
      ['name', 'waiting', 'taken', 'next'],
      all.map(({ facts }) => [facts.name, facts.waiting, facts.processing.length, facts.next.slice(0, 5).join(', ')]),
      'Nothing waits in a queue.',
    ),
  ];
}

function leases({ answer }: Page): Child {
  return [
    h('h2', {}, 'Leases'),
    table(
      ['lease', 'this process', 'holder', 'late renewals', 'longest pause', 'error'],
      thingsOf(answer, 'elector').map(({ facts }) => [
        facts.lease,
        badge(facts.leads ? 'leads' : 'waits', facts.leads ? 'good' : 'mild'),
        facts.holder,
        facts.late,
        facts.late === 0 ? '' : duration(facts.longestPauseMs),
        facts.error?.message ?? '',
      ]),
      'This process competes for no lease.',
    ),
    h('h2', {}, 'Shards'),
    table(
      ['group', 'this process', 'slots', 'members'],
      thingsOf(answer, 'shards').map(({ facts }) => [facts.name, facts.identity, `${facts.slots} of 128`, facts.members.join(', ')]),
      'This process is in no group of shards.',
    ),
  ];
}

function requests(page: Page): Child {
  const { answer } = page;
  if (answer.requests === undefined) return false;
  const shown = answer.requests.rows;
  const begin = Math.min(answer.now - 1, ...shown.map(({ startedAt }) => startedAt));
  const span = answer.now - begin;
  const part = (at: number): number => Math.max(0, Math.min(100, ((at - begin) / span) * 100));
  return [
    line('under', `The last ${answer.requests.total} requests, newest first, over ${duration(span)}.`),
    rows(page, answer.requests, (request) => {
      const { name, startedAt, endedAt, status, failure } = request;
      const [from, to] = [part(startedAt), part(endedAt ?? answer.now)];
      const style = { left: `${from}%`, width: `${Math.max(0.5, to - from)}%` };
      const tone = failure !== undefined || (status ?? 0) >= 400 ? 'bad' : endedAt === undefined ? 'open' : '';
      return [
        h('time', { class: 'begun' }, clock(startedAt)),
        badge(resultOf(request), tone === 'bad' ? 'bad' : ''),
        h('span', { class: 'request', title: failure ?? name }, failure === undefined ? name : failureOf(name, failure)),
        faint(took(request, answer.now)),
        h('span', { class: 'track' }, h('span', { class: `bar-of ${tone}`, style })),
      ];
    }),
  ];
}

/** The panels, most important first. */
export const panels: readonly (readonly [name: string, title: string, draw: (page: Page) => Child])[] = [
  ['overview', 'Overview', overview],
  ['objects', 'Objects', objects],
  ['timeline', 'Timeline', timeline],
  ['graph', 'Graph', graph],
  ['queues', 'Queues', queues],
  ['leases', 'Leases', leases],
  ['requests', 'Requests', requests],
];
