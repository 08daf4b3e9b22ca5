import { admissionOf } from '../admission/admission.js';
import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { requireObject } from '../read/getObject.js';
import { asString, valueAt, type JsonObject } from '../json.js';
import { badRequest } from '../status/statusErrors.js';

const optionsKinds: Readonly<Record<string, string>> = {
  attach: 'PodAttachOptions',
  exec: 'PodExecOptions',
  portforward: 'PodPortForwardOptions',
};

/** The options of a connection, which are its object in admission. */
function connectOptions({ parameters }: Exchange, { resource, subresource }: ResourceTarget): JsonObject {
  const flags = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => parameters.flag(name)).map((name) => [name, true] as const);
  const [container, command, ports] = [parameters.text('container'), parameters.all('command'), parameters.all('ports')];
  return {
    kind: optionsKinds[subresource] ?? `${resource.kind}ProxyOptions`,
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
  const { resource, subresource, namespace, name } = target;
  const asked = {
    operation: 'CONNECT',
    resource,
    subresource,
    namespace,
    name,
    options: null,
    dryRun: false,
    user: exchange.user,
  } as const;
  const attributes = { ...asked, object: connectOptions(exchange, target), oldObject: undefined };
  await admission.validate({ ...attributes, object: await admission.mutate(attributes) });
}

/** Explains why a subresource that needs a kubelet is not available, if admission allows it. */
export async function handleUnavailable(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  if (exchange.parameters.has('dryRun')) throw badRequest('dryRun is not supported');
  await admitConnection(cluster, exchange, target);
  const { name, content } = requireObject(cluster, target);
  const reachesPod = target.resource.bucketId === '/pods' && target.subresource !== 'proxy';
  if (reachesPod && asString(valueAt(content, 'spec', 'nodeName')) === '') throw badRequest(`pod ${name} does not have a host assigned`);
  if (reachesPod && exchange.incoming.headers.upgrade === undefined) throw badRequest('Upgrade request required');
  throw badRequest(`nothing runs behind ${target.resource.plural} "${name}" of this server: ${target.subresource} is not available`);
}
