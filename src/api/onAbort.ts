import { fromEvent, type Observable, share, take } from 'rxjs';

const aborts = new WeakMap<AbortSignal, Observable<unknown>>();

/** A signal gets one listener for all actions: Node warns of a leak beyond ten listeners, and one signal may bound hundreds of requests. */
function abortOf(signal: AbortSignal): Observable<unknown> {
  const abort$ = aborts.get(signal) ?? fromEvent(signal, 'abort').pipe(take(1), share());
  aborts.set(signal, abort$);
  return abort$;
}

/** Calls an action when a signal is aborted; at once if it is aborted already. Returns the function that forgets the action. */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  const waiting = abortOf(signal).subscribe({ next: () => action(), error: action });
  return () => waiting.unsubscribe();
}
