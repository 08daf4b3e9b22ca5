import type { WatchEvent, WatchProgress } from '../../api/events/watchEvent.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { hasGoneBack } from './hasGoneBack.js';
import type { Context, WatchingState } from './state.js';
import { watchLine } from './watchLine.js';

/**
 * The state of a watch after a change that is as it should be; `undefined` for every other line.
 *
 * Nearly every line of a life is one. `step` takes this way, and so does the runner, which saves the rest of a step.
 *
 * @internal
 */
export function advanced(
  state: WatchingState,
  line: WatchEvent<KubernetesObject> | WatchProgress,
  at: number,
  { source, settings }: Context,
): WatchingState | undefined {
  if (state.openedAt === undefined || !state.ordered || line.type === 'PROGRESS' || line.type === 'ERROR' || line.type === 'BOOKMARK') {
    return undefined;
  }
  if (watchLine.problem(line, source.expected) !== undefined) return undefined;
  const version = line.object.metadata?.resourceVersion ?? '';
  if (version === '' || hasGoneBack(version, state.version)) return undefined;
  // Spelled out, as copying by spread takes thirty times as long.
  return {
    type: 'watching',
    memory: state.memory,
    startedAt: state.startedAt,
    openedAt: state.openedAt,
    endsAt: state.endsAt,
    events: state.events + 1,
    dueAt: at + settings.idleTimeoutMs,
    startVersion: state.startVersion,
    version,
    ordered: true,
    look: state.look,
    relistedFrom: state.relistedFrom,
  };
}
