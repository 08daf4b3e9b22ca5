import { Observable, Subject, type Subscription } from 'rxjs';
import type { SourceEvent } from '../../src/api/events.js';
import { Informer } from '../../src/informer/informer.js';
import type { InformerOptions } from '../../src/informer/informerOptions.js';
import { brief, type Pod } from '../delta/pods.js';

/** An informer over source events, and functions that send them. */
export interface Scripted<U> {
  readonly informer: Informer<Pod, U>;
  /** How often the source has been subscribed to. */
  readonly sessions: () => number;
  readonly isRunning: () => boolean;
  readonly send: (...events: readonly SourceEvent<Pod>[]) => void;
  readonly fail: (error: unknown) => void;
}

/** An informer over source events that the spec sends by hand. */
export function scripted<U = Pod>(options: InformerOptions<Pod, U> & { scopes?: ReadonlySet<string> } = {}): Scripted<U> {
  const { scopes, ...rest } = options;
  let session: Subject<SourceEvent<Pod>> | undefined;
  let sessions = 0;
  const events = new Observable<SourceEvent<Pod>>((subscriber) => {
    sessions += 1;
    const mine = new Subject<SourceEvent<Pod>>();
    session = mine;
    mine.subscribe(subscriber);
    return () => {
      if (session === mine) session = undefined;
    };
  });
  const informer = new Informer<Pod, U>({ resource: 'pods', event$: events, scopes }, { logger: { warn: () => undefined }, ...rest });
  return {
    informer,
    sessions: () => sessions,
    isRunning: () => session !== undefined,
    send: (...more: readonly SourceEvent<Pod>[]) => {
      for (const event of more) session?.next(event);
    },
    fail: (error: unknown) => session?.error(error),
  };
}

/** Subscribes, and records the values in short form; `|` for completion, `#` for an error. */
export function collect(events: Observable<Parameters<typeof brief>[0]>): { seen: string[]; subscription: Subscription } {
  const seen: string[] = [];
  const subscription = events.subscribe({
    next: (event) => seen.push(brief(event)),
    error: (error: unknown) => seen.push(`# ${String(error)}`),
    complete: () => seen.push('|'),
  });
  return { seen, subscription };
}

/** The result of a promise as soon as it is settled. */
export function outcome(promise: Promise<unknown>): { value: string } {
  const result = { value: 'pending' };
  promise.then(
    () => (result.value = 'resolved'),
    (error: unknown) => (result.value = String(error)),
  );
  return result;
}

/** Lets the callbacks of settled promises run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
