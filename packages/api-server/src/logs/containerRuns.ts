import { asJsonObject, asString, objectsAt, valueAt, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

/** One run of a container, from its start to its end. */
export interface ContainerRun {
  readonly startedAt: number;
  /** Undefined while the container runs. */
  readonly finishedAt: number | undefined;
  readonly exitCode: number;
  /** The number of earlier runs of the container. */
  readonly restarts: number;
}

/** The runs of a container by the pod's status. */
export interface ContainerRuns {
  readonly current: ContainerRun | undefined;
  readonly previous: ContainerRun | undefined;
  /** The reason why it waits; `''` when it does not wait. */
  readonly waiting: string;
}

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
const specLists = ['containers', 'initContainers', 'ephemeralContainers'];

/** The names of a pod's containers, including init, sidecar and ephemeral containers. */
export function containerNames(content: StoredContent): readonly string[] {
  return specLists.flatMap((list) => objectsAt(content, 'spec', list).map(({ name }) => asString(name)));
}

function timeOf(value: unknown): number {
  return Date.parse(asString(value));
}

function runOf(state: JsonObject, restarts: number): ContainerRun | undefined {
  const [running, terminated] = [state['running'], state['terminated']].map((one) => (one === undefined ? undefined : asJsonObject(one)));
  if (running !== undefined) return { startedAt: timeOf(running['startedAt']), finishedAt: undefined, exitCode: 0, restarts };
  if (terminated === undefined) return undefined;
  const { startedAt, finishedAt, exitCode } = terminated;
  return { startedAt: timeOf(startedAt), finishedAt: timeOf(finishedAt), exitCode: Number(exitCode ?? 0), restarts };
}

/** The runs of a container, by the status of its pod; undefined when the status does not mention it. */
export function runsOf(content: StoredContent, container: string): ContainerRuns | undefined {
  const status = statusLists.flatMap((list) => objectsAt(content, 'status', list)).find(({ name }) => name === container);
  if (status === undefined) return undefined;
  const restarts = Number(status['restartCount'] ?? 0);
  const state = asJsonObject(status['state']);
  const current = runOf(state, restarts);
  const previous = runOf(asJsonObject(status['lastState']), Math.max(restarts - 1, 0));
  return { current, previous, waiting: asString(valueAt(state, 'waiting', 'reason')) };
}
