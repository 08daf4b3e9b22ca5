import { asapScheduler, auditTime, finalize, interval, merge, Subject, takeUntil } from 'rxjs';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { createQuiet } from '../../informer/session/createQuiet.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import { monotonicScheduler } from '../../rx/monotonicScheduler.js';
import type { OutputStream, Run, Terminal } from '../terminal.js';
import { errorLine } from './errorLine.js';
import { healthLooks, linkLine } from './looks.js';
import type { Output } from './parseOutput.js';
import { growingTable, headerCells, rowCells } from './tableFormat.js';
import { type ColourChoice, fitLine, type Line, paint, textTable, wantsColour } from './line.js';
import type { WatchSubject } from './watchSubject.js';

/** The flags of commands that show an informer. */
export interface ShowFlags {
  readonly output: Output;
  readonly color?: ColourChoice;
}

/** Shows what an informer tells. */
interface WatchView {
  event(event: ResourceEvent<UnstructuredObject>): void;
  /** The state of the link has changed. */
  health(health: InformerHealth): void;
  /** Leaves the terminal as a finished program should. */
  close(): void;
}

const redrawMs = 50;
const ageMs = 1_000;
const eraseBelow = '\u001b[J';

/** A table on a terminal that is drawn anew with every change, the link's state on its last line. */
function liveTable({ stdout }: Terminal, subject: WatchSubject, informer: SharedInformer<UnstructuredObject>): WatchView {
  const change = new Subject<void>();
  let linesDrawn = 0;
  let changes = 0;

  const lines = (): Line[] => {
    const { columns = 80, rows = 24 } = stdout;
    const now = Date.now();
    const keys = informer.indexer.listKeys().sort();
    const shown = keys.slice(0, Math.max(3, rows - 3)).map((key) => informer.indexer.getByKey(key));
    const cells = shown.flatMap((object) => (object === undefined ? [] : [rowCells(object, subject, now)]));
    const more: Line[] = keys.length > shown.length ? [[`… and ${String(keys.length - shown.length)} more`]] : [];
    const health = informer.health();
    const figures = `${String(keys.length)} ${subject.resource.plural}, ${String(changes)} changes | ${linkLine(health, now)}`;
    const { mark, style } = healthLooks[health.state];
    const state: Line = [{ text: mark, style }, ` ${figures}`];
    return [...textTable([headerCells(subject), ...cells], columns), ...more, fitLine(state, columns)];
  };
  const draw = (): void => {
    const drawn = lines().map((line) => paint(line, subject.colour));
    const up = linesDrawn > 1 ? `\u001b[${String(linesDrawn - 1)}A` : '';
    stdout.write(`\r${up}${eraseBelow}${drawn.join('\n')}`);
    linesDrawn = drawn.length;
  };
  const drawing = merge(change.pipe(auditTime(redrawMs)), interval(ageMs)).subscribe({
    next: draw,
    error: (error: unknown) => {
      throw error;
    },
  });
  stdout.on('resize', () => change.next());

  return {
    event(event) {
      if (event.type !== 'synced' && !(event.type === 'added' && event.initial)) changes += 1;
      change.next();
    },
    health: () => change.next(),
    close() {
      drawing.unsubscribe();
      draw();
      stdout.write('\n');
    },
  };
}

const progressStep = 5_000;

/** Says on the error stream, in whole lines, how the link is doing: a failure once per minute and cause. */
function linkReporter(stderr: OutputStream): (health: InformerHealth) => void {
  const quiet = createQuiet(monotonicScheduler);
  let broken = false;
  let told = 0;
  return (health) => {
    if (health.state === 'retrying') {
      const { error = new Error('the connection ended') } = health;
      const line = quiet(error, `reconnecting: ${errorLine(error)}`);
      if (line === undefined) return;
      broken = true;
      stderr.write(`rx-informer: ${line}\n`);
    } else if (health.state === 'watching' && broken) {
      broken = false;
      stderr.write('rx-informer: live again\n');
    } else if (health.state === 'listing' && (health.received ?? 0) - told >= progressStep) {
      told = health.received ?? 0;
      stderr.write(`rx-informer: listing: ${told.toLocaleString('en')} objects so far\n`);
    }
  };
}

function viewOf(terminal: Terminal, subject: WatchSubject, output: Output, informer: SharedInformer<UnstructuredObject>): WatchView {
  if (output.type === 'table' && terminal.stdout.isTTY === true && !subject.showKind) return liveTable(terminal, subject, informer);
  // For pipes and files: one piece of text for each event, the link's state on the error stream.
  const format = output.type === 'text' ? output.format : growingTable();
  return {
    event(event) {
      const text = format(event, subject);
      if (text !== '') terminal.stdout.write(text);
    },
    health: linkReporter(terminal.stderr),
    close: () => undefined,
  };
}

/** The error of an informer that ends comes through its events. */
const ignore = (): void => undefined;

/** Shows the informer's events until `end$`, or until the informer ends; then the terminal is left in order. */
export async function showInformer(
  informer: SharedInformer<UnstructuredObject>,
  subject: Omit<WatchSubject, 'columns' | 'colour'>,
  { output, color }: ShowFlags,
  { terminal, end$ }: Run,
): Promise<void> {
  const columns = output.type === 'table' ? output.columnsOf(subject.resource) : [];
  const colour = wantsColour(terminal, terminal.stdout, color);
  const view = viewOf(terminal, { ...subject, columns, colour }, output, informer);
  // For a moment, even an error that ends the informer is one that it will get over.
  const health = informer.health$.pipe(auditTime(0, asapScheduler)).subscribe({ next: (state) => view.health(state), error: ignore });
  try {
    await informer.resource$
      .pipe(
        takeUntil(end$),
        finalize(() => health.unsubscribe()),
      )
      .forEach((event) => view.event(event));
  } finally {
    view.close();
    await informer.stop();
  }
}
