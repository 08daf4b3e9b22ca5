import type { InformerHealth, ObjectEvent, ResourceChange, V1Pod } from 'rx-informer';
import { type DemoEvent, type DemoState, demoStep, initialState } from '../../src/demo/demoStep.js';

/** A pod that runs. */
export function podOf(name: string, resourceVersion = '1'): V1Pod {
  return {
    metadata: { name, namespace: 'default', resourceVersion, creationTimestamp: '1970-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'c' }] },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'c', image: 'x', imageID: '', ready: true, restartCount: 0, state: { running: {} } }],
    },
  };
}

/** Pods that came. */
export function added(...names: readonly string[]): readonly ObjectEvent<V1Pod>[] {
  return names.map((name) => ({ type: 'added', key: `default/${name}`, object: podOf(name), initial: false, inferred: false }));
}

/** A change as an event of the demonstration. */
export function changeOf(cause: ResourceChange<V1Pod>['cause'], events: readonly ObjectEvent<V1Pod>[]): DemoEvent {
  return { type: 'change', change: { cause, events, synced: true } };
}

/** A state of the link as an event of the demonstration. */
export function healthOf(state: InformerHealth['state'], since: number, more: Partial<InformerHealth> = {}): DemoEvent {
  return { type: 'health', health: { state, since, resourceVersion: '7', synced: true, degraded: [], ...more } };
}

/** What comes of events, each at its time. */
export function stateOf(...events: readonly (readonly [number, DemoEvent])[]): DemoState {
  return events.reduce((state, [at, event]) => demoStep(state, event, at), initialState(0));
}
