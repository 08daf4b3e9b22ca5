import type { Subscription } from 'rxjs';
import { errorLine } from './errorLine.js';
import { fitLine, type Line } from './line.js';
import { type ObjectLogs, stylesOfPods } from './objectLogs.js';
import { printable } from './printable.js';
import { movements, within } from './tableBrowser.js';

/** The maximum number of lines that are kept. */
const keptLines = 1_000;
const leaving: ReadonlySet<string> = new Set(['\u001b', '\r', '\n', 'l']);
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** The logs of one object, shown instead of the table. They follow the end until the user scrolls up. */
export class LogPane {
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
