/** The actions that wait for one signal, behind one listener. */
interface Waiting {
  readonly actions: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/** Calls all actions, even if one throws; then throws the first error. */
function callAll(actions: Iterable<() => void>): void {
  const failures: unknown[] = [];
  for (const action of actions) {
    try {
      action();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function listenTo(signal: AbortSignal): Waiting {
  const actions = new Set<() => void>();
  const listener = (): void => {
    waiting.delete(signal);
    callAll(actions);
  };
  const added = { actions, listener };
  waiting.set(signal, added);
  signal.addEventListener('abort', listener, { once: true });
  return added;
}

/**
 * Calls an action when a signal is aborted; at once if it is aborted already. Returns the function that forgets the action.
 *
 * A signal gets one listener for all actions: Node warns of a leak beyond ten listeners, and one signal may bound hundreds of requests.
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  const { actions, listener } = waiting.get(signal) ?? listenTo(signal);
  // A wrapper, so that one action can wait twice.
  const waiter = (): void => action();
  actions.add(waiter);
  return () => {
    actions.delete(waiter);
    if (actions.size > 0 || waiting.get(signal)?.actions !== actions) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}
