import { type Observable, Observable as Stream, Subscription } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent, SourceStatus } from '../../api/events/sourceEvent.js';
import { messageOf } from '../../api/errors/messageOf.js';

/** What is known of one scope from an earlier run. */
export interface Restoration<T> {
  readonly scope: string;
  readonly resource: string;
  readonly resourceVersion: string;
  /** Its objects, in parts. */
  readonly object$: Observable<readonly T[]>;
  /** Watches from that version, and lists if it does not live any more. */
  readonly resumed$: Observable<SourceEvent<T>>;
  /** Lists and watches, knowing nothing. */
  readonly anew$: Observable<SourceEvent<T>>;
}

type Events<T> = Pick<Restoration<T>, 'scope' | 'resource' | 'resourceVersion'> & { next(event: SourceEvent<T>): void };

/** One subscription: what was saved is told as a list, and is complete when it has been read and the watch from its version is trusted. */
class Restoring<T> {
  private readonly out: Events<T>;
  /** What the watch has brought meanwhile. */
  private held: SourceEvent<T>[] | undefined = [];
  private isRead = false;
  private isTrusted = false;
  private status: SourceStatus | undefined;

  constructor(out: Events<T>) {
    this.out = out;
    out.next({ type: 'init', scope: out.scope, reason: 'first', previousResourceVersion: '' });
  }

  saved(items: readonly T[]): void {
    if (this.held !== undefined) this.out.next({ type: 'page', scope: this.out.scope, items });
  }

  read(): void {
    this.isRead = true;
    this.settle();
  }

  live(event: SourceEvent<T>): void {
    if (this.held === undefined) this.out.next(event);
    else if (event.type === 'status') this.told(event);
    else if (event.type === 'init') this.listed(event);
    else this.held.push(event);
  }

  private told(event: SourceStatus): void {
    this.status = event;
    // A watch that is trusted once has shown that the version lives, whatever becomes of it.
    if (event.state === 'watching' && event.error === undefined) this.isTrusted = true;
    else this.out.next(event);
    this.settle();
  }

  /** The version does not live any more: the list says everything. */
  private listed(event: Extract<SourceEvent<T>, { readonly type: 'init' }>): void {
    this.held = undefined;
    this.out.next({ ...event, reason: 'first', previousResourceVersion: '' });
  }

  private settle(): void {
    const { held, out, status } = this;
    if (held === undefined || !this.isRead || !this.isTrusted) return;
    this.held = undefined;
    out.next({ type: 'ready', scope: out.scope, resourceVersion: out.resourceVersion });
    if (status?.state === 'watching') out.next(status);
    for (const event of held) out.next(event);
  }
}

/**
 * Begins with what an earlier run has saved.
 *
 * ```text
 * object$    (ab)(c)|
 * resumed$   ---------w--d--        w: the watch from the saved version is trusted
 * result     i(p)(p)--(rw)d--       one atomic list, then what the watch brings
 *
 * resumed$   ---------i-p-r-d--     the version has expired
 * result     i(p)(p)--i-p-r-d--     one atomic list from the server, and nothing of what was saved
 * ```
 *
 * What cannot be read is reported (`ERR_SNAPSHOT`) and listed instead.
 *
 * @internal
 */
export function restoring<T>({ object$, resumed$, anew$, ...about }: Restoration<T>): Observable<SourceEvent<T>> {
  return new Stream((subscriber) => {
    const both = new Subscription();
    subscriber.add(both);
    const session = new Restoring<T>({ ...about, next: (event) => subscriber.next(event) });
    const giveUp = (cause: unknown): void => {
      both.unsubscribe();
      const message = `The snapshot of ${about.resource} cannot be read, everything is listed: ${messageOf(cause)}`;
      const error = new InformerError({ code: 'ERR_SNAPSHOT', message, cause, resource: about.resource });
      subscriber.next({ type: 'status', scope: about.scope, state: 'listing', error });
      subscriber.add(anew$.subscribe(subscriber));
    };
    const reading = object$.subscribe({ next: (items) => session.saved(items), error: giveUp, complete: () => session.read() });
    both.add(reading);
    if (both.closed) return;
    both.add(
      resumed$.subscribe({
        next: (event) => {
          session.live(event);
          if (event.type === 'init') reading.unsubscribe();
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
  });
}
