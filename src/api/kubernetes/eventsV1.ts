// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1EventSource, V1ObjectReference } from './coreV1.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `events.events.k8s.io` in `events.k8s.io/v1`. */
export interface EventsV1Event {
  readonly action?: string;
  readonly apiVersion?: string;
  readonly deprecatedCount?: number;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedSource?: V1EventSource;
  readonly eventTime: string | null;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly note?: string;
  readonly reason?: string;
  readonly regarding?: V1ObjectReference;
  readonly related?: V1ObjectReference;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly series?: EventsV1EventSeries;
  readonly type?: string;
}

/** A list of `EventsV1Event`. */
export type EventsV1EventList = KubernetesList<EventsV1Event>;

/** Part of `EventsV1Event`. */
export interface EventsV1EventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}
