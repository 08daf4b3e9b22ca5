import type { LogLine } from './containerLog.js';
import type { ContainerRun } from './containerRuns.js';

/** The maximum number of lines that are kept for a container. */
const maxLines = 10_000;
/** The maximum number of containers with written lines. */
const maxLogs = 1_000;

/** The lines that tests have written for containers. They replace the computed log. */
export class WrittenLogs {
  private readonly lines = new Map<string, LogLine[]>();
  private readonly listeners = new Set<(key: string) => void>();

  /** Adds lines to the log of a container, by the uid of its pod and its name. */
  write(key: string, at: number, text: string): void {
    const known = this.lines.get(key) ?? [];
    if (known.length === 0) this.lines.set(key, known);
    const [oldest] = this.lines.keys();
    if (this.lines.size > maxLogs && oldest !== undefined) this.lines.delete(oldest);
    // One line break at the end belongs to the last line.
    for (const line of text.replace(/\n$/, '').split('\n')) known.push({ at, text: line });
    if (known.length > 2 * maxLines) known.splice(0, known.length - maxLines);
    for (const listener of [...this.listeners]) listener(key);
  }

  /** The lines written during one run, or at any time; undefined if nothing was ever written. */
  read(key: string, run: ContainerRun | undefined): readonly LogLine[] | undefined {
    const all = this.lines.get(key);
    if (all === undefined || run === undefined) return all;
    const { startedAt, finishedAt = Infinity } = run;
    return all.filter(({ at }) => at >= startedAt && at <= finishedAt + 999);
  }

  /** Calls a function with the key of each container whose log is written to. */
  onWrite(listener: (key: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
