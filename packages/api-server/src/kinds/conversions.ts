import { asJsonObject, listAt, valueAt, without, type Json, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';
import type { Conversion } from './servedResource.js';

/** A version whose objects are stored as another version. */
export interface StoredElsewhere extends Conversion {
  readonly bucketId: string;
}

// The fields of an Event in core/v1, and their names in events.k8s.io/v1.
const eventNames: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

function renamed(content: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [names.get(name) ?? name, value]));
}

const toNewer = new Map(eventNames);
const toCore = new Map(eventNames.map(([core, newer]) => [newer, core]));

const events: StoredElsewhere = {
  bucketId: '/events',
  toStored: (content) => renamed(content, toCore),
  fromStored: (content) => {
    const newer = renamed(content, toNewer);
    return without(newer, ...['reportingController', 'reportingInstance'].filter((name) => newer[name] === '')) as StoredContent;
  },
};

function isCpu(metric: Json): boolean {
  return valueAt(metric, 'resource', 'name') === 'cpu' && valueAt(metric, 'type') === 'Resource';
}

/** autoscaling/v1 supports one metric, which has a field of its own. */
const autoscaling: StoredElsewhere = {
  bucketId: 'autoscaling/horizontalpodautoscalers',
  toStored: (content) => {
    const { targetCPUUtilizationPercentage: percentage, ...spec } = asJsonObject(content['spec']);
    const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percentage } } };
    return { ...content, spec: { ...spec, ...(percentage !== undefined && percentage !== null && { metrics: [cpu] }) } };
  },
  fromStored: (content) => {
    const spec = asJsonObject(content['spec']);
    const status = asJsonObject(content['status']);
    const target = valueAt(listAt(spec, 'metrics').find(isCpu), 'resource', 'target', 'averageUtilization');
    const current = valueAt(listAt(status, 'currentMetrics').find(isCpu), 'resource', 'current', 'averageUtilization');
    return {
      ...content,
      spec: { ...without(spec, 'metrics', 'behavior'), ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
      ...(content['status'] !== undefined && {
        status: {
          currentReplicas: 0,
          desiredReplicas: 0,
          ...without(status, 'currentMetrics', 'conditions'),
          ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
        },
      }),
    };
  },
};

const conversions: Readonly<Record<string, StoredElsewhere>> = {
  'events.k8s.io/v1/events': events,
  'autoscaling/v1/horizontalpodautoscalers': autoscaling,
};

/** The conversion between a version and the stored one; undefined when only `apiVersion` differs. */
export function conversionOf(group: string, version: string, plural: string): StoredElsewhere | undefined {
  return conversions[`${group}/${version}/${plural}`];
}
