import { defer, Subject, takeUntil, type Observable } from 'rxjs';

/** One request under way. When it has been left it emits nothing more, also while its source emits synchronously. @internal */
export class Request {
  isLeft = false;
  private readonly left$ = new Subject<void>();

  /** Sends it. A factory that throws is a request that fails. */
  send<V>(
    request: () => Observable<V>,
    observer: { readonly next: (value: V) => void; readonly error: (error: unknown) => void; readonly complete?: () => void },
  ): void {
    defer(request)
      .pipe(takeUntil(this.left$))
      .subscribe({
        next: observer.next,
        error: observer.error,
        complete: () => {
          if (!this.isLeft) observer.complete?.();
        },
      });
  }

  /** Aborts it. */
  leave(): void {
    this.isLeft = true;
    this.left$.next();
  }
}
