import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { from, interval, map, merge, mergeMap, NEVER, type Observable, Subject, timer } from 'rxjs';
import { monotonicScheduler } from '../../rx/schedulerOf.js';
import { CliError } from '../cliError.js';
import { printable } from '../output/printable.js';
import { canBeDrawnOn, type ColourChoice, paint, wantsColour } from '../output/line.js';
import type { OutputStream, Run, Terminal } from '../terminal.js';
import { counted, type DemoEvent, type DemoState, demoStep, initialState } from './demoStep.js';
import { demoFrame } from './demoFrame.js';
import { DemoServer } from './demoServer.js';
import { runDemo } from './runDemo.js';

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
  let told = 0;
  let begun = false;
  return (state, now) => {
    const news = state.story.filter((_, index) => index >= told).map(({ at, text }) => `${timeOf(at, state.startedAt)}  * ${text}`);
    told = state.story.length;
    const first = begun ? [] : heading();
    begun = true;
    return [...first, ...news, figures(state, now)];
  };
}

/** The summary at the end. */
export function demoSummary({ counts, relists, requests, faults, checks, mostLost, startedAt }: DemoState, now: number): string[] {
  const { added, updated, deleted } = counts;
  const seconds = ((now - startedAt) / 1_000).toFixed(0);
  const lost =
    checks === 0 ? 'never compared with the server' : `${String(mostLost)} lost in ${counted(checks, 'comparison')} with the server`;
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

/** The values to draw, read for each frame. */
interface Shown {
  readonly hasKeys: boolean;
  readonly state: () => DemoState;
  readonly help: () => boolean;
}

/** Draws frames over the whole terminal, each replacing the previous one. */
function screen(terminal: Terminal, flags: DemoFlags, { state, ...setting }: Shown): () => void {
  const { stdout } = terminal;
  const colour = wantsColour(terminal, stdout, flags.color);
  let last = '';
  stdout.write(enter);
  return () => {
    const { columns = 80, rows = 24 } = stdout;
    const frame = demoFrame(state(), {
      columns,
      rows,
      now: monotonicScheduler.now(),
      wallNow: Date.now(),
      hasKeys: setting.hasKeys,
      help: setting.help(),
    });
    const text = frame.map((line) => `${paint(line, colour)}${eraseRest}`).join('\r\n');
    if (text !== last) stdout.write(`${beginFrame}${home}${text}${eraseBelow}${endFrame}`);
    last = text;
  };
}

/** Draws the state repeatedly. The returned function stops that, and restores the former content of the terminal. */
function show(terminal: Terminal, flags: DemoFlags, shown: Shown): () => void {
  const { stdout } = terminal;
  const isScreen = canBeDrawnOn(terminal);
  const story = createDemoStory();
  const draw = isScreen ? screen(terminal, flags, shown) : () => writeLines(stdout, story(shown.state(), monotonicScheduler.now()));
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
  const { stdout } = terminal;
  let state = initialState(monotonicScheduler.now());
  let help = false;
  const pressed = new Subject<string>();
  const quit = new Subject<void>();
  const happen = (event: DemoEvent): void => {
    state = demoStep(state, event, monotonicScheduler.now());
  };
  const onKey = (key: string): void => {
    if (quitKeys.includes(key)) quit.next();
    else if (helpKeys.includes(key)) help = !help;
    else if (state.server === 'starting') happen({ type: 'action', text: `${key}: the server is not ready yet` });
    else pressed.next(key);
  };
  const release = canBeDrawnOn(terminal) ? terminal.onKey((key) => onKey(printable(key))) : undefined;
  const hasKeys = release !== undefined;
  const durationMs = flags.duration ?? (hasKeys ? undefined : unattendedMs);
  const hide = show(terminal, flags, { hasKeys, state: () => state, help: () => help });
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-demo-'));
  const server = new DemoServer(folder);
  try {
    await runDemo({
      server,
      keys$: hasKeys || durationMs === undefined ? pressed : scripted(durationMs),
      end$: merge(end$, quit),
      finish$: durationMs === undefined ? NEVER : timer(durationMs, monotonicScheduler),
      state: () => state,
      happen,
    });
  } finally {
    release?.();
    hide();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  writeLines(stdout, demoSummary(state, monotonicScheduler.now()));
  if (state.mostLost > 0) throw new CliError(`${counted(state.mostLost, 'pod')} differed from the server`);
}
