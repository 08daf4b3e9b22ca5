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
import { createDemoStory, demoSummary } from './createDemoStory.js';
import { runDemo } from './runDemo.js';

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
