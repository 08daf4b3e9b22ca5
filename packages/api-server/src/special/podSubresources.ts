import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { objectTypeOf } from '../http/decodeBody.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asJsonObject, asString, listAt, valueAt, type JsonObject } from '../json.js';
import { requireObject } from '../read/getObject.js';
import type { StatusError } from '../status/statusError.js';
import { badRequest, bareError, conflict, storageUidConflict } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { spendDisruption } from './disruptions.js';
import { submitAction } from '../write/submit/submitAction.js';
import { checkPreconditions, deleteObject } from '../write/deleteObject.js';
import { deleteOptionsOf } from '../write/deleteOptions.js';
import { checkOwnNamespace, submittedObject, subresourceKind } from '../write/submittedObject.js';
import { writeOptionsOf } from '../write/writeOptions.js';
import { orderedMeta, submittedMetaOf } from '../write/objectMeta.js';

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** The object in the body of a request for a subresource. */
export async function submittedAction(
  cluster: Cluster,
  exchange: Exchange,
  target: ResourceTarget,
  kind: string,
  [newest, ...older]: readonly [newest: string, ...older: readonly string[]],
): Promise<JsonObject> {
  exchange.negotiate({ yaml: true, converts: () => false });
  objectTypeOf(exchange.incoming.headers['content-type']);
  writeOptionsOf('CreateOptions', exchange);
  const body = await readBody(exchange.incoming);
  const groupVersion = older.find((version) => body.includes(version)) ?? newest;
  const object = submittedObject(cluster, exchange, subresourceKind(target.resource, groupVersion, kind), body);
  checkOwnNamespace(target, object);
  return object;
}

/** Whether this is a dry run: requested in the query, for an eviction also in its body. */
function isDryRun({ parameters }: Exchange, options: JsonObject = {}): boolean {
  return parameters.all('dryRun').includes('All') || listAt(options, 'dryRun').includes('All');
}

function checkName(kind: string, sent: JsonObject, { name }: ResourceTarget): void {
  const said = asString(valueAt(sent, 'metadata', 'name'));
  if (name !== '' && said !== name) throw badRequest(`name in URL does not match name in ${kind} object`);
}

/** The pod with a condition of its status, which becomes true now. */
function withCondition({ clock }: Cluster, content: StoredContent, condition: JsonObject): StoredContent {
  const status = asJsonObject(content['status']);
  const others = listAt(status, 'conditions').filter((other) => valueAt(other, 'type') !== condition['type']);
  const times = { lastProbeTime: null, lastTransitionTime: timestamp(clock.now()) };
  return { ...content, status: { ...status, conditions: [...others, { ...condition, status: 'True', ...times }] } };
}

const evicted = { type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };

/** Handles an eviction: deletes a pod like `kubectl drain` does. */
export async function handleEviction(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const eviction = await submittedAction(cluster, exchange, target, 'Eviction', ['policy/v1', 'policy/v1beta1']);
  const sent = asJsonObject(eviction['deleteOptions']);
  const asked = deleteOptionsOf(exchange.parameters, 'application/json', Buffer.from(JSON.stringify(sent)));
  const options = { ...asked, dryRun: isDryRun(exchange, sent) };
  checkName('Eviction', eviction, target);
  requireObject(cluster, target);
  await submitAction(cluster, exchange, target, { kind: 'Eviction', apiVersion: 'policy/v1', ...eviction });
  const pod = requireObject(cluster, target);
  checkPreconditions({ group: '', kind: 'Pod' }, pod, options);
  const spent = spendDisruption(cluster, pod);
  const marked = options.dryRun ? pod : cluster.store.commit('/pods', 'MODIFIED', withCondition(cluster, pod.content, evicted));
  deleteObject(cluster, target.resource, marked, options);
  if (!options.dryRun) spent?.();
  await exchange.sendObject(201, created);
}

/** Validation errors of the target of a binding. */
function targetProblems(binding: JsonObject): readonly string[] {
  const { kind, name } = asJsonObject(binding['target']);
  const strange = kind !== undefined && kind !== '' && kind !== 'Node';
  return [
    ...(strange ? [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`] : []),
    ...(asString(name) === '' ? ['target.name: Required value'] : []),
  ];
}

/** Assigns a pod to a node. */
function bind(cluster: Cluster, target: ResourceTarget, binding: JsonObject, dryRun: boolean): void {
  const { content, name, key } = requireObject(cluster, target);
  const { uid, ...sent } = submittedMetaOf(target.resource, binding);
  const { metadata } = content;
  if (uid !== '' && uid !== metadata.uid) throw storageUidConflict(target.resource, key, name, uid, metadata.uid, dryRun);
  const refuse = (reason: string): StatusError => conflict({ group: '', plural: 'pods/binding' }, name, reason);
  const assigned = asString(valueAt(content, 'spec', 'nodeName'));
  if (metadata.deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (assigned !== '') throw refuse(`pod ${name} is already assigned to node "${assigned}"`);
  if (listAt(content, 'spec', 'schedulingGates').length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  if (dryRun) return;
  const labels = { ...metadata.labels, ...sent.labels };
  const annotations = { ...metadata.annotations, ...sent.annotations };
  cluster.store.commit('/pods', 'MODIFIED', {
    ...withCondition(cluster, content, { type: 'PodScheduled' }),
    metadata: orderedMeta(metadata, { labels, annotations }),
    spec: { ...asJsonObject(content['spec']), nodeName: asString(valueAt(binding, 'target', 'name')) },
  });
}

/** The pod of a binding that was posted to the collection. */
function podTarget({ kinds }: Cluster, target: ResourceTarget, name: string): ResourceTarget {
  return target.name === '' ? { ...target, resource: kinds.find('v1', 'pods') ?? target.resource, name } : target;
}

/** Handles a binding: assigns a pod to a node like a scheduler does. */
export async function handleBinding(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const sent = await submittedAction(cluster, exchange, target, 'Binding', ['v1']);
  if (target.name === '' && asString(valueAt(sent, 'metadata', 'name')) === '') throw badRequest('Name parameter required.');
  checkName('Binding', sent, target);
  const binding = await submitAction(cluster, exchange, target, { kind: 'Binding', apiVersion: 'v1', ...sent });
  const problems = targetProblems(binding);
  if (problems.length > 0) throw bareError(problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`);
  const name = asString(valueAt(binding, 'metadata', 'name'));
  bind(cluster, podTarget(cluster, target, name), binding, isDryRun(exchange));
  await exchange.sendObject(201, created);
}
