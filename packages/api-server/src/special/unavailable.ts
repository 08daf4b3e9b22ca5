import { admissionOf } from '../admission/admission.js';
import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { requireObject } from '../read/getObject.js';
import { asString, valueAt, type JsonObject } from '../json.js';
import { containerOf } from '../logs/handleLog.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, bareError } from '../status/statusErrors.js';
import { objectsIn } from '../store/bucket.js';
import type { StoredContent } from '../store/storedObject.js';
import { isFilled } from '../validation/fieldChecks.js';

const connections: Readonly<Record<string, string>> = { attach: 'PodAttach', exec: 'PodExec', portforward: 'PodPortForward' };

/** The options of a connection, which are its object in admission. */
function connectOptions({ parameters }: Exchange, { resource, subresource }: ResourceTarget): JsonObject {
  const flags = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => parameters.flag(name)).map((name) => [name, true] as const);
  const [container, command, ports] = [parameters.text('container'), parameters.all('command'), parameters.all('ports')];
  return {
    kind: `${connections[subresource] ?? `${resource.kind}Proxy`}Options`,
    apiVersion: 'v1',
    ...Object.fromEntries(flags),
    ...(container !== '' && { container }),
    ...(command.length > 0 && { command }),
    ...(ports.length > 0 && { ports: ports.map(Number) }),
  };
}

/** Runs admission for a connection. */
async function admitConnection(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const admission = admissionOf(cluster, exchange);
  if (admission === undefined) return;
  const asked = { ...target, object: connectOptions(exchange, target), oldObject: undefined, options: null };
  const attributes = { ...asked, operation: 'CONNECT' as const, dryRun: false, user: exchange.user };
  await admission.validate({ ...attributes, object: await admission.mutate(attributes) });
}

/** The target of a proxy, whose name may have a scheme before it and a port behind it. */
function proxyTarget(target: ResourceTarget): ResourceTarget {
  const parts = target.name.split(':');
  const [scheme = '', name = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme))
    throw badRequest(`invalid ${target.resource.kind.toLowerCase()} request ${JSON.stringify(target.name)}`);
  return { ...target, name };
}

/** Why nothing can be reached through a proxy; undefined where something has an address. */
function unreachable(
  cluster: Cluster,
  { resource, namespace, name }: ResourceTarget,
  content: StoredContent,
  asked: string,
): Error | undefined {
  if (resource.plural === 'pods' && asString(valueAt(content, 'status', 'podIP')) === '') return badRequest('address not allowed');
  if (resource.plural === 'nodes' && !isFilled(valueAt(content, 'status', 'addresses')))
    return bareError('no preferred addresses found; known addresses: []');
  if (resource.plural !== 'services') return undefined;
  for (const { content: slice } of objectsIn(cluster.store.bucket('discovery.k8s.io/endpointslices'), namespace))
    if (slice.metadata.labels?.['kubernetes.io/service-name'] === name && isFilled(slice['endpoints'])) return undefined;
  const message = `no endpoints available for service ${JSON.stringify(asked)}`;
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message });
}

/** Explains why a subresource that needs a kubelet is not available, if admission allows it. */
export async function handleUnavailable(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  if (exchange.parameters.has('dryRun')) throw badRequest('dryRun is not supported');
  await admitConnection(cluster, exchange, target);
  const { resource, subresource } = target;
  const reached = subresource === 'proxy' ? proxyTarget(target) : target;
  const pod = requireObject(cluster, reached);
  const { name, content } = pod;
  if (subresource === 'exec' || subresource === 'attach') containerOf(pod, exchange.parameters.text('container'));
  const reachesPod = resource.bucketId === '/pods' && subresource !== 'proxy';
  if (reachesPod && asString(valueAt(content, 'spec', 'nodeName')) === '') throw badRequest(`pod ${name} does not have a host assigned`);
  if (reachesPod && exchange.incoming.headers.upgrade === undefined) throw badRequest('Upgrade request required');
  const problem = subresource === 'proxy' ? unreachable(cluster, reached, content, target.name) : undefined;
  throw problem ?? badRequest(`nothing runs behind ${resource.plural} "${name}" of this server: ${subresource} is not available`);
}
