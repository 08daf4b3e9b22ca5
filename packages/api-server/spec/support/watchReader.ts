import type { IncomingMessage } from 'node:http';
import type { AnyJson } from './httpClient.js';

/** An event as it was received. */
export interface ReadEvent {
  readonly type: string;
  readonly object: AnyJson;
}

/** The controllers of a real cluster repeat their checks at times of their own choice. */
const patienceMs = process.env['CONFORMANCE'] === 'cluster' ? 100_000 : 20_000;

/** Reads the events of one watch. */
export class WatchReader {
  /** Every event so far. */
  readonly events: ReadEvent[] = [];
  /** Every line so far, as it was received. */
  readonly lines: string[] = [];
  /** The received part of an incomplete line. */
  rest = '';
  readonly message: IncomingMessage;
  /** Resolves at the end of the answer: with true if it was complete. */
  readonly ended: Promise<boolean>;
  private taken = 0;
  private waiting: (() => void) | undefined;
  private over = false;

  constructor(message: IncomingMessage) {
    this.message = message;
    message.setEncoding('utf8');
    message.on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop() ?? '';
      this.lines.push(...lines);
      this.events.push(...lines.map((line) => JSON.parse(line) as ReadEvent));
      this.waiting?.();
    });
    message.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      message.once('close', () => {
        this.over = true;
        this.waiting?.();
        resolve(message.complete);
      });
    });
  }

  /** The next event not taken yet; the first after it that satisfies the condition, if there is one. */
  async next(condition: (event: ReadEvent) => boolean = () => true): Promise<ReadEvent> {
    const until = Date.now() + patienceMs;
    for (;;) {
      while (this.taken < this.events.length) {
        const event = this.events[this.taken];
        this.taken += 1;
        if (event !== undefined && condition(event)) return event;
      }
      if (this.over) throw new Error(`Expected another event, but the watch ended after ${String(this.events.length)}`);
      await this.change(until - Date.now());
    }
  }

  /** Takes several events. */
  async take(count: number): Promise<readonly ReadEvent[]> {
    const taken: ReadEvent[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  /** The events not taken yet. */
  get pending(): readonly ReadEvent[] {
    return this.events.slice(this.taken);
  }

  close(): void {
    this.message.destroy();
  }

  private async change(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      this.waiting = resolve;
      timer = setTimeout(
        () => reject(new Error(`Expected another event within ${String(patienceMs)} ms, got ${JSON.stringify(this.events)}`)),
        withinMs,
      );
    }).finally(() => clearTimeout(timer));
  }
}

/** An event in short: its type, name and resourceVersion. */
export function brief({ type, object }: ReadEvent): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return `${type} ${text(object.metadata.name)}@${text(object.metadata.resourceVersion)}`;
}
