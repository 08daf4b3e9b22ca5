import { definedOf } from '../../api/options.js';
import { apiVersionOf, customResource, type Resource } from '../../api/resource.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { EventsV1Event } from '../../api/kubernetes/eventsV1.js';
import type { V1ObjectReference } from '../../api/kubernetes/coreV1.js';
import { microTime } from './microTime.js';

/** What happened to an object. */
export interface EventToRecord {
  readonly type: 'Normal' | 'Warning';
  /** Why, in one CamelCase word, for example `ScaledUp`. */
  readonly reason: string;
  /** The details, for people; cut at 1024 bytes of UTF-8, which is how servers count. */
  readonly note: string;
  /**
   * What was done, in one CamelCase word.
   *
   * @defaultValue the reason
   */
  readonly action?: string;
}

/** The resource of events, by itself: the catalog of all kinds is large. */
export const events: Resource<EventsV1Event> = customResource<EventsV1Event>({
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
});

function referenceOf({ apiVersion, kind, metadata = {} }: KubernetesObject): V1ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return definedOf({ apiVersion, kind, namespace, name, uid, resourceVersion });
}

function eventName(objectName: string, now: number, sequence: number): string {
  const prefix = /^[a-z0-9][-a-z0-9.]{0,230}$/.test(objectName) ? objectName : 'event';
  // In nanoseconds, as client-go does, with a number for those that come within one millisecond.
  return `${prefix}.${(BigInt(Math.floor(now)) * 1_000_000n + BigInt(sequence % 1_000_000)).toString(16)}`;
}

/** As much of a text as `limit` bytes of UTF-8 hold, without half a character at its end. */
function firstBytes(text: string, limit: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit));
  return text.slice(0, read);
}

/**
 * The event as the server stores it.
 *
 * @throws TypeError when the type is neither Normal nor Warning, or the reason is empty.
 */
export function eventObject(
  object: KubernetesObject,
  { type, reason, note, action = reason }: EventToRecord,
  source: { readonly controller: string; readonly instance: string; readonly now: number; readonly sequence: number },
): EventsV1Event {
  if (!['Normal', 'Warning'].includes(type)) {
    throw new TypeError(`Expected \`type\` of an event to be Normal or Warning, got ${JSON.stringify(type)}`);
  }
  if (reason === '') throw new TypeError("Expected `reason` of an event to be a word, got ''");
  const { namespace = 'default', name = '' } = object.metadata ?? {};
  return {
    apiVersion: apiVersionOf(events),
    kind: events.kind,
    metadata: { name: eventName(name, source.now, source.sequence), namespace },
    eventTime: microTime(source.now),
    reportingController: source.controller,
    reportingInstance: source.instance,
    type,
    reason,
    action,
    note: firstBytes(note, 1024),
    regarding: referenceOf(object),
  };
}
