import { apiVersionOf } from 'rx-informer/internal';
import { ApiError, type CoreV1Event, type KubeClient, type KubernetesObject, resources } from 'rx-informer';
import { shortHash } from './chance.js';
import { timestampOf, tolerate, type WorkloadContext } from './workloadContext.js';

/** An action of a simulated controller. */
export interface Happening {
  /** The simulated controller. */
  readonly component: string;
  /** @defaultValue `Normal` */
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The node it happened on. */
  readonly host?: string;
}

/** The maximum number of events that are kept. A real cluster keeps the events of an hour. */
const maxEvents = 1_000;

async function forgetOldest(client: KubeClient, names: string[], name: string): Promise<void> {
  names.push(name);
  if (names.length <= maxEvents) return;
  const [namespace = '', oldest = ''] = names.shift()?.split('/') ?? [];
  await tolerate(client.delete(resources.core.v1.events, oldest, { namespace }));
}

/**
 * Writes an event about an object, like the controllers of Kubernetes: a repetition increases the count of the first. Errors of the server are
 * ignored.
 */
export async function recordEvent(
  { client, scheduler, eventNames }: WorkloadContext,
  resource: Parameters<typeof apiVersionOf>[0] & { readonly kind: string },
  { metadata = {} }: KubernetesObject,
  { component, type = 'Normal', reason, message, host }: Happening,
): Promise<void> {
  const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = metadata;
  const now = timestampOf(scheduler.now());
  const eventName = `${name}.${shortHash([uid, component, type, reason, message].join(' '), 13)}`;
  const event: CoreV1Event = {
    metadata: { name: eventName, namespace },
    involvedObject: { kind: resource.kind, apiVersion: apiVersionOf(resource), namespace, name, uid, resourceVersion },
    reason,
    message,
    type,
    source: { component, ...(host !== undefined && { host }) },
    reportingComponent: component,
    reportingInstance: host ?? '',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  const { events } = resources.core.v1;
  try {
    if (await tolerate(client.create(events, event))) {
      await forgetOldest(client, eventNames, `${namespace}/${eventName}`);
      return;
    }
    const { count = 1 } = await client.get(events, eventName, { namespace });
    await client.patch(events, eventName, 'merge', { count: count + 1, lastTimestamp: now }, { namespace });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
