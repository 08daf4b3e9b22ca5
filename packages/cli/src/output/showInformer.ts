import { asapScheduler, auditTime, finalize, merge, Subject, takeUntil, interval, type Subscription } from 'rxjs';
import type { InformerHealth, ResourceEvent, SharedInformer, UnstructuredObject } from 'rx-informer';
import { createQuiet, monotonicScheduler } from 'rx-informer/internal';
import type { OutputStream, Run } from '../terminal.js';
import { errorLine } from './errorLine.js';
import type { Output } from './parseOutput.js';
import { growingTable } from './tableFormat.js';
import { canBeDrawnOn, type ColourChoice, wantsColour, fitLine, type Line, paint, sizeOf, textOf, widthOf } from './line.js';
import type { WatchSubject } from './watchSubject.js';
import { healthLooks, linkLine } from './looks.js';
import { printable } from './printable.js';
import { type ObjectLogs, stylesOfPods } from './objectLogs.js';
import {
  browsed,
  type BrowsedTable,
  browsingLines,
  browsingNote,
  currentKey,
  notBrowsing,
  type ObjectHistory,
  movements,
  within,
} from './tableBrowser.js';

/** The maximum number of lines that are kept. */
const keptLines = 1_000;
const leaving: ReadonlySet<string> = new Set(['\u001b', '\r', '\n', 'l']);
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** The logs of one object, shown instead of the table. They follow the end until the user scrolls up. */
class LogPane {
  private readonly title: string;
  private readonly lines: Line[] = [];
  private readonly reading: Subscription;
  /** The first visible line; undefined while following the end. */
  private top: number | undefined;
  private state = '';
  private room = 1;

  constructor(title: string, { lines$, prefixed }: ObjectLogs, changed: () => void) {
    this.title = title;
    const styleOf = stylesOfPods();
    const says = (state: string): void => {
      this.state = state;
      changed();
    };
    this.reading = lines$.subscribe({
      next: ({ pod, container, text }) => {
        const shown = printable(text.replaceAll(colours, ''));
        this.lines.push(prefixed ? [{ text: `${pod} ${container} `, style: styleOf(pod) }, shown] : [shown]);
        if (this.lines.length > keptLines) {
          this.lines.shift();
          if (this.top !== undefined) this.top = Math.max(0, this.top - 1);
        }
        changed();
      },
      error: (error: unknown) => says(`: ${errorLine(error)}`),
      complete: () => says(', ended'),
    });
  }

  /** Handles a key. Returns whether it closes the logs. */
  press(key: string): boolean {
    if (leaving.has(key)) return true;
    const last = Math.max(0, this.lines.length - this.room);
    const to = movements[key]?.(this.top ?? last, this.room);
    if (to !== undefined) this.top = to >= last ? undefined : within(to, this.lines.length);
    return false;
  }

  view(rows: number, columns: number): readonly Line[] {
    this.room = Math.max(1, rows - 1);
    const first = this.top ?? Math.max(0, this.lines.length - this.room);
    const title: Line = [
      { text: `logs of ${printable(this.title)}${this.state}`, style: 'bold' },
      { text: this.lines.length === 0 ? ' (nothing yet)' : '', style: 'dim' },
    ];
    return [title, ...this.lines.slice(first, first + this.room)].map((line) => fitLine(line, columns));
  }

  close(): void {
    this.reading.unsubscribe();
  }
}

/** Displays the events of an informer. */
interface WatchView {
  event(event: ResourceEvent<UnstructuredObject>): void;
  /** Called when the state of the link has changed. */
  health(health: InformerHealth): void;
  /** Restores the terminal for the shell. */
  close(): void;
}

/** The content of a live table, and its terminal. */
interface ShownTable {
  readonly run: Run;
  readonly subject: WatchSubject;
  readonly informer: SharedInformer<UnstructuredObject>;
  /** The columns of the wide table, which the user can switch to. */
  readonly allColumns: WatchSubject['columns'];
  /** The logs of an object; undefined when it has none. */
  readonly logsOf: (object: UnstructuredObject) => ObjectLogs | undefined;
  /** Called when the user quits. */
  readonly quit: () => void;
}

const redrawMs = 50;
const ageMs = 1_000;
const eraseBelow = '\u001b[J';
/** The number of objects whose previous version is kept. */
const keptHistories = 1_000;

/** Says that the named object does not exist; undefined when it does, when it was not named, or as long as that is unknown. */
function absenceOf({ subject: { name, resource }, informer }: ShownTable): string | undefined {
  if (name === undefined || !informer.hasSynced() || informer.indexer.listKeys().length > 0) return undefined;
  return `no such ${resource.singular ?? resource.kind.toLowerCase()} yet: ${printable(name)}`;
}

/** A table on a terminal that is redrawn after every change and key. Its last line shows the state of the link. */
class LiveTable implements WatchView {
  private readonly shown: ShownTable;
  private readonly redraw$ = new Subject<void>();
  private readonly histories = new Map<string, ObjectHistory>();
  private readonly drawing: Subscription;
  private readonly release: (() => void) | undefined;
  private browsing = notBrowsing;
  private logs: LogPane | undefined;
  /** The error message about the last key. */
  private objection = '';
  private linesDrawn = 0;
  private changes = 0;
  private isOpen = true;
  /** The last health before the user quit: stopping the informer changes its health, which must not be shown. */
  private lastHealth: InformerHealth | undefined;

  constructor(shown: ShownTable) {
    this.shown = shown;
    const { terminal } = shown.run;
    this.drawing = merge(this.redraw$.pipe(auditTime(redrawMs)), interval(ageMs)).subscribe({
      next: () => this.draw(),
      error: (error: unknown) => {
        throw error;
      },
    });
    terminal.stdout.on('resize', () => this.redraw$.next());
    this.release = terminal.onKey((key) => this.press(key));
  }

  event(event: ResourceEvent<UnstructuredObject>): void {
    if (event.type === 'updated' && !event.resync) this.remember(event.key, event.oldObject);
    if (event.type === 'deleted') this.remember(event.key, event.object);
    if (event.type !== 'synced' && !(event.type === 'added' && event.initial)) {
      this.changes += 1;
      if (this.browsing.follows && !this.browsing.open && event.type !== 'deleted')
        this.browsing = { ...this.browsing, selected: event.key };
    }
    this.redraw$.next();
  }

  health(): void {
    this.redraw$.next();
  }

  close(): void {
    this.release?.();
    this.closeLogs();
    this.drawing.unsubscribe();
    this.isOpen = false;
    // Leave the current table on the terminal, without a cursor.
    this.browsing = { ...this.browsing, open: false, help: false, typing: false, selected: undefined };
    this.draw();
    this.shown.run.terminal.stdout.write('\n');
  }

  private press(key: string): void {
    if (key === 'q' && !this.browsing.typing) {
      this.shown.quit();
      return;
    }
    this.objection = '';
    const { typing, help } = this.browsing;
    if (this.logs !== undefined) {
      if (this.logs.press(key)) this.closeLogs();
    } else if (key === 'l' && !typing && !help) {
      this.openLogs();
    } else {
      this.browsing = browsed(this.browsing, key, this.table());
    }
    this.draw();
  }

  private openLogs(): void {
    const key = currentKey(this.browsing, this.table());
    const object = this.shown.informer.indexer.getByKey(key ?? '');
    if (key === undefined || object === undefined) return;
    const logs = this.shown.logsOf(object);
    if (logs === undefined) this.objection = ` | ${printable(key)} has no logs`;
    else this.logs = new LogPane(key, logs, () => this.redraw$.next());
  }

  private closeLogs(): void {
    this.logs?.close();
    this.logs = undefined;
  }

  /** Keeps the previous versions of the last changed objects, for the view of one object. */
  private remember(key: string, previous: UnstructuredObject): void {
    this.histories.delete(key);
    this.histories.set(key, { previous, changedAt: Date.now() });
    if (this.histories.size > keptHistories) for (const [oldest] of [...this.histories].slice(0, 1)) this.histories.delete(oldest);
  }

  private table(): BrowsedTable {
    const { columns, rows } = sizeOf(this.shown.run.terminal.stdout);
    const { indexer } = this.shown.informer;
    const objects = new Map<string, UnstructuredObject>();
    for (const key of indexer.listKeys().sort()) objects.set(key, indexer.getByKey(key) as UnstructuredObject);
    // Of the terminal's rows, the last one is for the state, and the one above it for the shell's prompt.
    const { subject, allColumns } = this.shown;
    const shown = this.browsing.wide ? { ...subject, columns: allColumns } : subject;
    return { subject: shown, objects, histories: this.histories, now: Date.now(), rows: Math.max(1, rows - 2), columns };
  }

  private lines(): readonly Line[] {
    const table = this.table();
    const health = (this.isOpen ? undefined : this.lastHealth) ?? this.shown.informer.health();
    this.lastHealth = health;
    const help = this.release === undefined || !this.isOpen ? '' : this.logs === undefined ? ' | ? for keys' : ' | Esc: back to the table';
    const absence = this.changes === 0 ? absenceOf(this.shown) : undefined;
    const count = absence ?? `${String(table.objects.size)} ${this.shown.subject.resource.plural}, ${String(this.changes)} changes`;
    const notes = `${browsingNote(this.browsing, table)}${this.objection}${help}`;
    const { mark, style } = healthLooks[health.state];
    const stateWith = (link: string): Line => [{ text: mark, style }, ` ${count} | ${link}${notes}`];
    const link = linkLine(health, table.now);
    // On a narrow terminal, the version is left out to make room for the notes.
    const state =
      widthOf(textOf(stateWith(link))) > table.columns ? stateWith(link.replace(/ at resource version .*/, '')) : stateWith(link);
    const lines = this.logs?.view(table.rows, table.columns) ?? browsingLines(this.browsing, table);
    return [...lines, fitLine(state, table.columns)];
  }

  private draw(): void {
    const drawn = this.lines().map((line) => paint(line, this.shown.subject.colour));
    const up = this.linesDrawn > 1 ? `\u001b[${String(this.linesDrawn - 1)}A` : '';
    this.shown.run.terminal.stdout.write(`\r${up}${eraseBelow}${drawn.join('\n')}`);
    this.linesDrawn = drawn.length;
  }
}

/** The flags of commands that show an informer. */
export interface ShowFlags {
  readonly output: Output;
  readonly color?: ColourChoice;
}

const progressStep = 5_000;

/** Reports the state of the link on the error stream, in whole lines; a failure at most once per minute and cause. */
function linkReporter(stderr: OutputStream): (health: InformerHealth) => void {
  const quiet = createQuiet(monotonicScheduler);
  let broken = false;
  let printed = 0;
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
    } else if (health.state === 'listing' && (health.received ?? 0) - printed >= progressStep) {
      printed = health.received ?? 0;
      stderr.write(`rx-informer: listing: ${printed.toLocaleString('en')} objects so far\n`);
    }
  };
}

function viewOf(shown: ShownTable, output: Output): WatchView {
  const { subject, run } = shown;
  const { terminal } = run;
  if (output.type === 'table' && canBeDrawnOn(terminal) && !subject.showKind) return new LiveTable(shown);
  // For pipes and files: text for each event on standard output, the state of the link on the error stream.
  const format = output.type === 'text' ? output.format : growingTable();
  let isListed = false;
  return {
    event(event) {
      if (event.type === 'synced' && !isListed) {
        isListed = true;
        const absence = absenceOf(shown);
        if (absence !== undefined) terminal.stderr.write(`rx-informer: ${absence}\n`);
      }
      const text = format(event, subject);
      if (text !== '') terminal.stdout.write(text);
    },
    health: linkReporter(terminal.stderr),
    close: () => undefined,
  };
}

/** Ignored: an error that ends the informer is also emitted with its events. */
const ignore = (): void => undefined;

/** Shows the informer's events until `end$` emits or the informer ends, then restores the terminal. The subject has all columns of its kind. */
export async function showInformer(
  informer: SharedInformer<UnstructuredObject>,
  subject: Omit<WatchSubject, 'colour'>,
  { output, color }: ShowFlags,
  run: Run,
  logsOf: ShownTable['logsOf'] = () => undefined,
): Promise<void> {
  const { terminal, end$ } = run;
  const quit$ = new Subject<void>();
  const columns = output.type === 'table' ? output.columnsOf(subject.columns) : [];
  const allColumns = output.type === 'table' ? output.allColumnsOf(subject.columns) : [];
  const colour = wantsColour(terminal, color);
  const view = viewOf({ run, subject: { ...subject, columns, colour }, informer, allColumns, logsOf, quit: () => quit$.next() }, output);
  // Wait until the end of the task: an error that ends the informer is first reported as one that will be retried.
  const health = informer.health$.pipe(auditTime(0, asapScheduler)).subscribe({ next: (state) => view.health(state), error: ignore });
  try {
    await informer.resource$
      .pipe(
        takeUntil(merge(end$, quit$)),
        finalize(() => health.unsubscribe()),
      )
      .forEach((event) => view.event(event));
  } finally {
    view.close();
    await informer.stop();
  }
}
