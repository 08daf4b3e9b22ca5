import { apiVersionOf, checkOptions, definedOf, describeValue, expectArgument, rules } from 'rx-informer/internal';
import { customResource, type EventsV1Event, type KubernetesObject, type Resource, type V1ObjectReference } from 'rx-informer';
import { microTime } from './microTime.js';

/** An event about an object. */
export type EventToRecord = Readonly<{
  type: 'Normal' | 'Warning';
  /** The reason, in one CamelCase word, for example `ScaledUp`. */
  reason: string;
  /** The details, for people; truncated to 1024 bytes of UTF-8, as servers count. */
  note: string;
  /**
   * The action taken, in one CamelCase word.
   *
   * @defaultValue the reason
   */
  action?: string | undefined;
}>;

/** The resource of events, defined here because the catalog of all resources is large. */
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
  // A timestamp in nanoseconds as in client-go, plus a number for events within one millisecond.
  return `${prefix}.${(BigInt(Math.floor(now)) * 1_000_000n + BigInt(sequence % 1_000_000)).toString(16)}`;
}

/** The start of a text, up to `limit` bytes of UTF-8, cut between characters. */
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
  event: EventToRecord,
  source: { readonly controller: string; readonly instance: string; readonly now: number; readonly sequence: number },
): EventsV1Event {
  expectArgument('record', 'object', object, rules.object);
  const note = rules.required(rules.string);
  checkOptions('record', event, { type: rules.any, reason: rules.required(rules.string), note, action: rules.string });
  const { type, reason, action = reason } = event;
  if (!['Normal', 'Warning'].includes(type)) {
    throw new TypeError(`Expected \`type\` of an event to be Normal or Warning, got ${describeValue(type)}`);
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
    note: firstBytes(event.note, 1024),
    regarding: referenceOf(object),
  };
}
