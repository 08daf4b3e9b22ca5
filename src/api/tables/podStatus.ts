import { fieldAt, listAt, numberAt, textAt } from './fieldAt.js';

function terminatedReason(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal !== 0 ? `Signal:${String(signal)}` : `ExitCode:${String(numberAt(terminated, 'exitCode'))}`;
}

/** The status of the first init container that has not succeeded, if any. */
function initStatus(pod: unknown): string | undefined {
  const statuses = listAt(pod, 'status', 'initContainerStatuses');
  for (const [position, status] of statuses.entries()) {
    const terminated = fieldAt(status, 'state', 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (terminated !== undefined) return `Init:${terminatedReason(terminated)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${String(position)}/${String(listAt(pod, 'spec', 'initContainers').length)}`;
  }
  return undefined;
}

function containerStatus(pod: unknown, phase: string): string {
  let status = phase;
  let running = false;
  for (const container of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    const terminated = fieldAt(container, 'state', 'terminated');
    if (waiting !== '') status = waiting;
    else if (terminated !== undefined) status = terminatedReason(terminated);
    else if (fieldAt(container, 'ready') === true && fieldAt(container, 'state', 'running') !== undefined) running = true;
  }
  if (status !== 'Completed' || !running) return status;
  const ready = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  );
  return ready ? 'Running' : 'NotReady';
}

/**
 * The status of a pod as kubectl shows it: its phase, or what prevents its containers from running.
 */
export function podStatus(pod: unknown): string {
  const phase = textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
  const status = initStatus(pod) ?? containerStatus(pod, phase);
  if (fieldAt(pod, 'metadata', 'deletionTimestamp') === undefined) return status;
  return textAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
}
