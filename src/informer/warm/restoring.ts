import { Observable, Subscription } from 'rxjs';
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

/** What was saved is emitted as a list, which is complete when it has been read and the watch from its version is trusted. */
class Restoring<T> {
  /** What the watch has brought meanwhile. */
  private held: SourceEvent<T>[] | undefined = [];
  private isRead = false;
  private isTrusted = false;
  private status: SourceStatus | undefined;
  private readonly emit: (event: SourceEvent<T>) => void;
  private readonly ready: SourceEvent<T>;

  constructor({ scope, resourceVersion }: Pick<Restoration<T>, 'scope' | 'resourceVersion'>, emit: (event: SourceEvent<T>) => void) {
    this.emit = emit;
    this.ready = { type: 'ready', scope, resourceVersion };
    emit({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
  }

  read(): void {
    this.isRead = true;
    this.settle();
  }

  live(event: SourceEvent<T>): void {
    if (this.held === undefined) {
      this.emit(event);
    } else if (event.type === 'init') {
      // The version does not live any more: the list says everything.
      this.held = undefined;
      this.emit({ ...event, reason: 'first', previousResourceVersion: '' });
    } else if (event.type === 'status') {
      this.status = event;
      // A watch that is trusted once has shown that the version lives, whatever becomes of it.
      if (event.state === 'watching' && event.error === undefined) this.isTrusted = true;
      else this.emit(event);
      this.settle();
    } else {
      this.held.push(event);
    }
  }

  private settle(): void {
    const { held, status } = this;
    if (held === undefined || !this.isRead || !this.isTrusted) return;
    this.held = undefined;
    this.emit(this.ready);
    if (status?.state === 'watching') this.emit(status);
    held.forEach(this.emit);
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
  return new Observable((subscriber) => {
    const both = new Subscription();
    subscriber.add(both);
    const session = new Restoring<T>(about, (event) => subscriber.next(event));
    const giveUp = (cause: unknown): void => {
      both.unsubscribe();
      const message = `The snapshot of ${about.resource} cannot be read, everything is listed: ${messageOf(cause)}`;
      const error = new InformerError({ code: 'ERR_SNAPSHOT', message, cause, resource: about.resource });
      subscriber.next({ type: 'status', scope: about.scope, state: 'listing', error });
      subscriber.add(anew$.subscribe(subscriber));
    };
    const reading = object$.subscribe({
      next: (items) => subscriber.next({ type: 'page', scope: about.scope, items }),
      error: giveUp,
      complete: () => session.read(),
    });
    both.add(reading);
    if (both.closed) return;
    both.add(
      resumed$.subscribe({
        next: (event) => {
          if (event.type === 'init') reading.unsubscribe();
          session.live(event);
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
  });
}
