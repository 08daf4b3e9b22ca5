import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  from,
  interval,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  ReplaySubject,
  Subject,
  timer,
  catchError,
  concat,
  defer,
  EMPTY,
  endWith,
  exhaustMap,
  ignoreElements,
  of,
  switchMap,
  takeUntil,
  tap,
} from 'rxjs';
import { monotonicScheduler } from 'rx-informer/internal';
import { CliError } from '../cliError.js';
import { printable } from '../output/printable.js';
import { canBeDrawnOn, type ColourChoice, paint, sizeOf, wantsColour } from '../output/line.js';
import type { OutputStream, Run, Terminal } from '../terminal.js';
import { counted, type DemoEvent, type DemoState, demoStep, initialState } from './demoStep.js';
import { demoFrame } from './demoFrame.js';
import { DemoServer } from './demoServer.js';
import { createSilence } from './silence.js';
import {
  createClient,
  createInformer,
  isAlreadyExists,
  type KubeClient,
  resources,
  type SharedInformer,
  type V1Deployment,
  type V1Pod,
} from 'rx-informer';
import { verifyInformer, tracing } from 'rx-informer/pipeline';
import { errorLine } from '../output/errorLine.js';

const { deployments } = resources.apps.v1;
const namespace = 'default';
const rollout = 'rollout';
/** How long a killed server is down. */
const awayMs = 1_500;

/** The user agent of the demonstrated informer. */
const userAgent = 'rx-informer-demo';

/** Requests a number of pods with a new version. */
async function rollOut(client: KubeClient, replicas: number, release: string): Promise<void> {
  const labels = { app: rollout };
  const template = {
    metadata: { labels, annotations: { 'example.com/release': release } },
    spec: { containers: [{ name: rollout, image: `registry.example/${rollout}:1` }] },
  };
  const deployment: V1Deployment = {
    metadata: { name: rollout, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
  try {
    await client.create(deployments, deployment);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(deployments, rollout, 'merge', { spec: { replicas, template } }, { namespace });
  }
}

/** Announces an action, and carries it out. */
const doing = (event: DemoEvent, work: () => unknown): Observable<DemoEvent> =>
  concat(of(event), defer(async () => await work()).pipe(ignoreElements()));

function killed(server: DemoServer): Observable<DemoEvent> {
  const fault: DemoEvent = { type: 'fault', text: 'k: server killed, started again in 1.5 s' };
  return concat(
    doing(fault, () => server.kill()),
    of<DemoEvent>({ type: 'server', server: 'down' }),
    timer(awayMs, monotonicScheduler).pipe(ignoreElements()),
    defer(() => from(server.start())).pipe(ignoreElements()),
    from<DemoEvent[]>([
      { type: 'server', server: 'running' },
      { type: 'action', text: 'the server is back' },
    ]),
  );
}

function actionOf(key: string, server: DemoServer, client: KubeClient): Observable<DemoEvent> {
  const fault = (text: string): DemoEvent => ({ type: 'fault', text: `${key}: ${text}` });
  const ours = { verb: 'watch', userAgent, count: 1 };
  if (/^[1-9]$/.test(key)) {
    const replicas = Number(key) * 10;
    const text = `${key}: ${String(replicas)} pods rolled out`;
    return doing({ type: 'action', text }, () => rollOut(client, replicas, String(Math.round(monotonicScheduler.now()))));
  }
  if (key === 'k') return killed(server);
  if (key === 'e')
    return doing(fault('history expired, the watch fails'), async () => {
      await server.control('expire');
      await server.control('faults', { type: 'endWatch', errorCode: 410, atOnce: true, ...ours });
    });
  if (key === 'f')
    return doing(fault('connection frozen: open, but silent'), () => server.control('faults', { type: 'freeze', at: 'body', ...ours }));
  if (key === 'c') return doing(fault('all connections cut'), () => server.control('cut-connections'));
  return EMPTY;
}

/** The action of a key; nothing for other keys. An action that is impossible now is reported in the story. */
function demoAction(key: string, server: DemoServer, client: KubeClient): Observable<DemoEvent> {
  const notNow = (error: unknown): Observable<DemoEvent> => of({ type: 'action', text: `${key}: not now: ${errorLine(error)}` });
  return actionOf(key, server, client).pipe(catchError(notNow));
}

const idleTimeoutMs = 4_000;
const checkMs = 1_000;
const checkTimeoutMs = 3_000;
/** Long enough for the informer to reconnect. */
const lastCheckTimeoutMs = 15_000;

/** A running demonstration. */
interface Demo {
  readonly server: DemoServer;
  readonly terminal: Terminal;
  readonly hasKeys: boolean;
  state: DemoState;
  /** Whether help is shown instead of the pods. */
  help: boolean;
}

function happen(demo: Demo, event: DemoEvent): void {
  demo.state = demoStep(demo.state, event, monotonicScheduler.now());
}

/** The number of pods for which the table, which is computed from events, differs from the cache. */
function differences(rows: DemoState['rows'], { indexer }: SharedInformer<V1Pod>): number {
  const shown = [...rows].filter(([, { type }]) => type !== 'deleted');
  const wrong = shown.filter(([key, { pod }]) => indexer.getByKey(key)?.metadata?.resourceVersion !== pod.metadata?.resourceVersion);
  return wrong.length + indexer.listKeys().filter((key) => !rows.has(key) || rows.get(key)?.type === 'deleted').length;
}

/** Compares with the server, at exactly the version of the cache; emits nothing if the server does not answer. */
function check(informer: SharedInformer<V1Pod>, demo: Demo, timeoutMs: number): Observable<DemoEvent> {
  return from(verifyInformer(informer, { timeoutMs })).pipe(
    map(({ count, missing, extra, differing }): DemoEvent => {
      const lost = missing.length + extra.length + differing.length + differences(demo.state.rows, informer);
      return { type: 'check', check: { at: monotonicScheduler.now(), count, lost } };
    }),
    catchError(() => EMPTY),
  );
}

/**
 * Watches the pods of the server, carries out the actions of keys, and compares with the server every second. `end$` ends it at once, `finish$`
 * after a last comparison.
 */
async function runDemo(demo: Demo, keys$: Observable<string>, end$: Observable<unknown>, finish$: Observable<unknown>): Promise<void> {
  const { server } = demo;
  await server.start();
  happen(demo, { type: 'server', server: 'running' });
  const client = createClient({ server: server.url, userAgent });
  const isSilent = createSilence(idleTimeoutMs);
  const requested = tracing((step) => {
    if (step.stage === 'request') happen(demo, { type: 'request' });
    if (isSilent(step)) happen(demo, { type: 'action', text: `silent for ${String(idleTimeoutMs / 1_000)} s: the connection is replaced` });
  });
  const informer = createInformer(client, resources.core.v1.pods, {
    // Shorter than the default, so that the effect is visible soon.
    idleTimeoutMs,
    backoff: { initialMs: 300, maxMs: 1_000, jitter: 0.2 },
    onError: () => 'retry',
    parts: [requested],
  });
  const pressed = keys$.pipe(
    mergeMap((key) =>
      demo.state.server === 'running'
        ? demoAction(key, server, client)
        : of<DemoEvent>({ type: 'action', text: `${key}: not while the server is away` }),
    ),
  );
  const changes = informer.change$.pipe(map((change): DemoEvent => ({ type: 'change', change })));
  const healths = informer.health$.pipe(map((health): DemoEvent => ({ type: 'health', health })));
  const checks = interval(checkMs, monotonicScheduler).pipe(exhaustMap(() => check(informer, demo, checkTimeoutMs)));
  const ticks = interval(100, monotonicScheduler).pipe(map((): DemoEvent => ({ type: 'tick', health: informer.health() })));
  const compared = finish$.pipe(
    switchMap(() => check(informer, demo, lastCheckTimeoutMs)),
    tap((event) => happen(demo, event)),
    ignoreElements(),
    endWith(undefined),
  );
  try {
    await merge(changes, healths, pressed, checks, ticks)
      .pipe(takeUntil(merge(end$, compared)))
      .forEach((event) => happen(demo, event));
  } finally {
    await informer.stop();
    client.close();
  }
}

const time = 8;
const columns = ['health$ ', 'pods', 'added', 'updated', 'deleted', 'synced', 'relists', 'requests', 'lost'];

const timeOf = (at: number, startedAt: number): string => `${((at - startedAt) / 1_000).toFixed(1)} s`.padStart(time);

function heading(): string[] {
  return [
    'rx-informer: a live copy of the pods of an API server in another process. That server is broken on purpose; nothing gets lost.',
    `${'time'.padStart(time)}  ${columns.join('  ')}`,
  ];
}

function figures({ health, rows, counts, relists, requests, check, startedAt }: DemoState, now: number): string {
  const pods = [...rows.values()].filter(({ type }) => type !== 'deleted').length;
  const numbers = [pods, counts.added, counts.updated, counts.deleted, counts.synced, relists, requests, check?.lost ?? '?'];
  const cells = [
    (health?.state ?? 'starting').padEnd(8),
    ...numbers.map((number, at) => String(number).padStart(columns[at + 1]?.length ?? 0)),
  ];
  return `${timeOf(now, startedAt)}  ${cells.join('  ')}`;
}

/**
 * The demonstration without a terminal: prints lines with the events since the last call, and
 * then the current figures.
 */
export function createDemoStory(): (state: DemoState, now: number) => string[] {
  let printed = 0;
  let begun = false;
  return (state, now) => {
    const news = state.story.filter((_, index) => index >= printed).map(({ at, text }) => `${timeOf(at, state.startedAt)}  * ${text}`);
    printed = state.story.length;
    const first = begun ? [] : heading();
    begun = true;
    return [...first, ...news, figures(state, now)];
  };
}

/** The summary at the end. */
export function demoSummary({ counts, relists, requests, faults, checks, maxLost, startedAt }: DemoState, now: number): string[] {
  const { added, updated, deleted } = counts;
  const seconds = ((now - startedAt) / 1_000).toFixed(0);
  const lost =
    checks === 0 ? 'never compared with the server' : `${String(maxLost)} lost in ${counted(checks, 'comparison')} with the server`;
  return [
    `In ${seconds} s: ${counted(added + updated + deleted, 'event')} (${String(added)} added, ${String(updated)} updated, ${String(deleted)} deleted),`,
    `${counted(faults, 'fault')}, ${counted(relists, 'relist')}, ${counted(requests, 'request')}, ${lost}.`,
    // Lines have at most 80 columns.
    'Each event changed the cache of pods before it was shown. The informer',
    'reconnects, resumes or lists again by itself.',
  ];
}

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
/** Terminals that support these sequences show a frame at once, without flicker. */
const [beginFrame, endFrame] = ['\u001b[?2026h', '\u001b[?2026l'];
const home = '\u001b[H';
const eraseRest = '\u001b[K';
const eraseBelow = '\u001b[J';

/** The flags of `rx-informer demo`. */
export interface DemoFlags {
  /** In milliseconds. */
  readonly duration?: number;
  readonly color?: ColourChoice;
}

const unattendedMs = 20_000;
const frameMs = 100;
const lineMs = 1_000;
const quitKeys = ['q', '\\u0003'];
const helpKeys = ['?', 'h'];

/** The keys that are pressed automatically if there is no keyboard: each with its time, as a share of the duration. */
const script: readonly (readonly [number, string])[] = [
  [0.15, '2'],
  [0.25, 'c'],
  [0.35, 'f'],
  [0.6, 'e'],
  [0.7, 'k'],
];

const scripted = (durationMs: number): Observable<string> =>
  from(script).pipe(mergeMap(([part, key]) => timer(part * durationMs, monotonicScheduler).pipe(map(() => key))));

const rethrow = (error: unknown): never => {
  throw error;
};

const writeLines = (stdout: OutputStream, lines: readonly string[]): unknown => stdout.write(lines.map((line) => `${line}\n`).join(''));

/** Draws frames over the whole terminal, each replacing the previous one. */
function screen(demo: Demo, color: DemoFlags['color']): () => void {
  const { stdout } = demo.terminal;
  const colour = wantsColour(demo.terminal, color);
  let last = '';
  stdout.write(enter);
  return () => {
    const { hasKeys, help, state } = demo;
    const frame = demoFrame(state, { ...sizeOf(stdout), now: monotonicScheduler.now(), wallNow: Date.now(), hasKeys, help });
    const text = frame.map((line) => `${paint(line, colour)}${eraseRest}`).join('\r\n');
    if (text !== last) stdout.write(`${beginFrame}${home}${text}${eraseBelow}${endFrame}`);
    last = text;
  };
}

/** Draws the state repeatedly. The returned function stops that, and restores the former content of the terminal. */
function show(demo: Demo, color: DemoFlags['color']): () => void {
  const { stdout } = demo.terminal;
  const isScreen = canBeDrawnOn(demo.terminal);
  const story = createDemoStory();
  const draw = isScreen ? screen(demo, color) : () => writeLines(stdout, story(demo.state, monotonicScheduler.now()));
  draw();
  const drawing = interval(isScreen ? frameMs : lineMs, monotonicScheduler).subscribe({ next: draw, error: rethrow });
  return () => {
    drawing.unsubscribe();
    if (isScreen) stdout.write(leave);
    else draw();
  };
}

/**
 * `rx-informer demo`: watches the pods of an API server in another process, in which keys cause failures. Without a keyboard they happen
 * automatically; without a terminal it prints lines, and ends after 20 seconds or `--duration`.
 */
export async function demoCommand(flags: DemoFlags, { terminal, end$ }: Run): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-demo-'));
  const pressed = new Subject<string>();
  // The key may be pressed before the server runs.
  const quit = new ReplaySubject<void>(1);
  const onKey = (key: string): void => {
    if (quitKeys.includes(key)) quit.next();
    else if (helpKeys.includes(key)) demo.help = !demo.help;
    else if (demo.state.server === 'starting') happen(demo, { type: 'action', text: `${key}: the server is not ready yet` });
    else pressed.next(key);
  };
  const release = canBeDrawnOn(terminal) ? terminal.onKey((key) => onKey(printable(key))) : undefined;
  const hasKeys = release !== undefined;
  const state = initialState(monotonicScheduler.now());
  const demo: Demo = { server: new DemoServer(folder), terminal, hasKeys, state, help: false };
  const durationMs = flags.duration ?? (hasKeys ? undefined : unattendedMs);
  const keys$ = hasKeys || durationMs === undefined ? pressed : scripted(durationMs);
  const hide = show(demo, flags.color);
  try {
    await runDemo(demo, keys$, merge(end$, quit), durationMs === undefined ? NEVER : timer(durationMs, monotonicScheduler));
  } finally {
    release?.();
    hide();
    await demo.server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  writeLines(terminal.stdout, demoSummary(demo.state, monotonicScheduler.now()));
  if (demo.state.maxLost > 0) throw new CliError(`${counted(demo.state.maxLost, 'pod')} differed from the server`);
}
