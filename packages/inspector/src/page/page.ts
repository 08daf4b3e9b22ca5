import { draw, type Drawn, h } from './draw.js';
import { openObject, panels } from './panels.js';
import { noteRates } from './rates.js';
import type { Answer } from '../look.js';
import { div, line, type Page, type State } from './shared.js';

const everyMs = 1_000;
/** The least time between an answer and the next request, in times that the answer took: a large program spends no more than a tenth of its time on the page. */
const pause = 9;
/** A program that was stopped, as by a debugger, is asked again that soon after it goes on. */
const longestPauseMs = 30_000;
/** When a program that does not answer is said not to. */
const lateMs = 5_000;
const noAnswer = 'The program does not answer.';

const state: State = { panel: 'overview', of: undefined, search: '', from: 0, count: 50, key: undefined, at: undefined, paused: false };
let answer: Answer | undefined;
let problem = '';
let timer: number | undefined;
let isAsking = false;
let isStale = false;

/** Reads the token from the fragment, and stores it for this tab only. */
function takeToken(): string {
  const given = /token=([^&]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('token') ?? '';
}

let token = takeToken();

/** @throws Error when the answer is a refusal. */
async function ask(path: string): Promise<Response> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` }, cache: 'no-store' });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

function failed(error: unknown): void {
  problem = error instanceof TypeError ? noAnswer : (error as Error).message;
}

async function save(): Promise<void> {
  const blob = await (await ask('/export')).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = 'inspection.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}

function set(change: Partial<State>): void {
  if ('panel' in change && change.panel !== state.panel) Object.assign(state, { from: 0, search: '', key: undefined });
  Object.assign(state, change);
  isStale = true;
  show();
  void look();
}

/** Requests what is visible; the next request follows after the answer is drawn, so that requests do not pile up. */
async function look(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  clearTimeout(timer);
  isStale = false;
  const { paused: _, ...asked } = state;
  const begun = performance.now();
  const late = setTimeout(() => {
    problem = noAnswer;
    show();
  }, lateMs);
  try {
    answer = (await (await ask(`/look?q=${encodeURIComponent(JSON.stringify(asked))}`)).json()) as Answer;
    noteRates(answer);
    problem = '';
  } catch (error) {
    failed(error);
  }
  clearTimeout(late);
  isAsking = false;
  show();
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set meanwhile
  if (isStale) void look();
  else if (!document.hidden && !state.paused)
    timer = window.setTimeout(() => void look(), Math.min(longestPauseMs, Math.max(everyMs, (performance.now() - begun) * pause)));
}

function show(): void {
  const root = document.querySelector('main');
  if (root === null) return;
  const page: Page | undefined = answer && { state, answer, set };
  const [count, left] = [answer?.warnings.length ?? 0, answer?.left ?? 0];
  const tone = problem !== '' ? 'bad' : state.paused ? 'mild' : 'good';
  const says = problem !== '' ? problem : state.paused ? 'paused' : 'live';
  const current = panels.find(([name]) => name === state.panel);
  const tab = ([name, title]: (typeof panels)[number]): Drawn =>
    h(
      'button',
      { 'aria-current': name === state.panel ? 'page' : undefined, onclick: () => set({ panel: name }) },
      title,
      name === 'overview' && count > 0 && h('span', { class: 'badge bad' }, count),
    );
  const panel = page === undefined ? line('empty', problem || 'Asking…') : current?.[2](page);
  draw(root, [
    h(
      'header',
      { class: 'top' },
      h('h1', {}, 'rx-informer'),
      h('span', { class: 'title' }, answer?.title ?? ''),
      h('span', { class: `badge ${tone}`, role: 'status' }, says),
      h('button', { class: 'export', onclick: () => void save().catch(failed).then(show) }, 'Export'),
    ),
    h('nav', {}, panels.map(tab)),
    div(
      state.key === undefined ? 'content' : 'content split',
      h('article', { key: state.panel }, panel, left > 0 && line('under', `${left} more things that run are left out.`)),
      page && openObject(page),
    ),
  ]);
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !state.paused) void look();
});
// The address of another run of the program, opened in the same tab, does not load the page anew.
window.addEventListener('hashchange', () => {
  token = takeToken();
  void look();
});
show();
void look();
