import { auditTime, interval, merge, Subject, type SchedulerLike, type Subscription } from 'rxjs';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { healthStyle } from './healthStyle.js';
import { linkLine } from './linkLine.js';
import { fitLine } from './fitLine.js';
import { paint } from './paint.js';
import type { Line } from './span.js';
import { headerCells, rowCells } from './tableFormat.js';
import type { Terminal } from '../terminal.js';
import { textTable } from './textTable.js';
import type { WatchSubject, WatchView } from './watchView.js';

const redrawMs = 50;
const ageMs = 1_000;
const eraseBelow = '\u001b[J';
const marks: Readonly<Record<InformerHealth['state'], string>> = {
  idle: '○',
  restored: '◍',
  listing: '◌',
  watching: '●',
  retrying: '↻',
  stopped: '■',
};

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const stateLine = (link: InformerHealth, count: string, now: number): Line => [
  { text: marks[link.state], style: healthStyle[link.state] },
  ` ${count} | ${linkLine(link, now)}`,
];

const rethrow = (error: unknown): never => {
  throw error;
};

/** A table on a terminal that is drawn anew with every change, the link's state on its last line. */
export function liveTable(terminal: Terminal, subject: WatchSubject, health: () => InformerHealth, scheduler: SchedulerLike): WatchView {
  const { stdout } = terminal;
  const objects = new Map<string, UnstructuredObject>();
  const change = new Subject<void>();
  let linesDrawn = 0;
  let changes = 0;

  const lines = (): Line[] => {
    const room = Math.max(3, (stdout.rows ?? 24) - 3);
    const now = scheduler.now();
    const sorted = [...objects.entries()].sort(byKey).map(([, object]) => object);
    const shown = sorted.slice(0, room);
    const table = textTable([headerCells(subject), ...shown.map((object) => rowCells(object, subject, now))], stdout.columns ?? 80);
    const hidden = sorted.length - shown.length;
    const more: Line[] = hidden > 0 ? [[`… and ${String(hidden)} more`]] : [];
    const count = `${String(objects.size)} ${subject.resource.plural}, ${String(changes)} changes`;
    return [...table, ...more, fitLine(stateLine(health(), count, now), stdout.columns ?? 80)];
  };
  const draw = (): void => {
    const drawn = lines().map((line) => paint(line, subject.colour));
    const up = linesDrawn > 1 ? `\u001b[${String(linesDrawn - 1)}A` : '';
    stdout.write(`\r${up}${eraseBelow}${drawn.join('\n')}`);
    linesDrawn = drawn.length;
  };
  const drawing: Subscription = merge(change.pipe(auditTime(redrawMs, scheduler)), interval(ageMs, scheduler)).subscribe({
    next: draw,
    error: rethrow,
  });
  stdout.on('resize', () => {
    change.next();
  });

  return {
    event(event) {
      if (event.type === 'deleted') objects.delete(event.key);
      else if (event.type !== 'synced') objects.set(event.key, event.object);
      if (event.type !== 'synced' && !(event.type === 'added' && event.initial)) changes += 1;
      change.next();
    },
    health() {
      change.next();
    },
    close() {
      drawing.unsubscribe();
      draw();
      stdout.write('\n');
    },
  };
}
