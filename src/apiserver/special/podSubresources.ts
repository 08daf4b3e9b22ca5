import type { Cluster } from '../cluster.js';
import { decodeBody } from '../http/decodeBody.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type JsonObject } from '../json.js';
import { requireObject } from '../read/getObject.js';
import { badRequest, conflict } from '../status/statusErrors.js';
import { submitAction } from '../write/submit/submitAction.js';
import { deleteObject } from '../write/deleteObject.js';
import { deleteOptionsOf } from '../write/deleteOptions.js';
import { orderedMeta } from '../write/objectMeta.js';

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

async function decode(exchange: Exchange): Promise<JsonObject> {
  const body = await readBody(exchange.incoming);
  try {
    const decoded = decodeBody(exchange.incoming.headers['content-type'], body);
    if (isJsonObject(decoded)) return decoded;
  } catch {
    // Said below.
  }
  throw badRequest('the object provided is unrecognized');
}

/** Answers with a log of one line: nothing runs in a pod here. A pod without a node has no log at all. */
export async function handleLog(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { namespace, name, content } = requireObject(cluster, target);
  if (asString(valueAt(content, 'spec', 'nodeName')) === '') {
    exchange.response.writeHead(204, { 'cache-control': 'no-cache, private' }).end();
    return;
  }
  await exchange.sendText(200, `no container runs behind ${namespace}/${name}\n`, 'text/plain');
}

/** Deletes a pod as `kubectl drain` does. */
export async function handleEviction(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const eviction = await decode(exchange);
  const options = deleteOptionsOf(
    exchange.parameters,
    'application/json',
    Buffer.from(JSON.stringify(asJsonObject(eviction['deleteOptions']))),
  );
  requireObject(cluster, target);
  await submitAction(cluster, exchange, target, { kind: 'Eviction', apiVersion: 'policy/v1', ...eviction });
  deleteObject(cluster, target.resource, requireObject(cluster, target), options);
  await exchange.sendObject(201, created);
}

/** Puts a pod on a node. */
function bind(cluster: Cluster, target: ResourceTarget, nodeName: string): void {
  const { content, name } = requireObject(cluster, target);
  const assigned = asString(valueAt(content, 'spec', 'nodeName'));
  if (assigned !== '') throw conflict({ group: '', plural: 'pods/binding' }, name, `pod ${name} is already assigned to node "${assigned}"`);
  const condition = {
    type: 'PodScheduled',
    status: 'True',
    lastTransitionTime: new Date(cluster.clock.now()).toISOString().replace(/\.\d+/, ''),
  };
  const status = asJsonObject(content['status']);
  const { conditions: known } = status;
  const conditions = isJsonArray(known) ? known : [];
  const others = conditions.filter((other) => valueAt(other, 'type') !== 'PodScheduled');
  cluster.store.commit('/pods', 'MODIFIED', {
    ...content,
    metadata: orderedMeta(content.metadata),
    spec: { ...asJsonObject(content['spec']), nodeName },
    status: { ...status, conditions: [...others, condition] },
  });
}

/** The pods, for a binding that names one. */
function podTarget({ kinds }: Cluster, target: ResourceTarget, name: string): ResourceTarget {
  return target.name === '' ? { ...target, resource: kinds.find('v1', 'pods') ?? target.resource, name } : target;
}

/** Puts a pod on a node as a scheduler does: by a binding of the pod, or by one that names it. */
export async function handleBinding(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const sent = await decode(exchange);
  const binding = await submitAction(cluster, exchange, target, { kind: 'Binding', apiVersion: 'v1', ...sent });
  const nodeName = asString(valueAt(binding, 'target', 'name'));
  if (nodeName === '') throw badRequest('binding: target.name is required');
  const name = asString(valueAt(binding, 'metadata', 'name'));
  if (target.name !== '' && name !== target.name) throw badRequest('name in URL does not match name in Binding object');
  bind(cluster, podTarget(cluster, target, name), nodeName);
  await exchange.sendObject(201, created);
}
