import type { CoreV1Event } from '../../api/kubernetes/coreV1.js';
import type { KubeClient } from '../../client/kubeClient.js';
import type { OwnerReference, UnstructuredObject } from '../../api/kubernetesObject.js';
import { resources } from '../../api/resources.js';
import type { Resource } from '../../api/resource.js';
import { errorLine } from '../output/errorLine.js';

/** One link of the chain of owners: the owner, or its reference if it cannot be read. */
export interface Owner {
  /** For example `replicaset/web-5d4f`. */
  readonly name: string;
  readonly object: UnstructuredObject | undefined;
  /** Why there is no object. */
  readonly problem?: string;
}

/** The facts that explain the state of an object. */
export interface Facts {
  readonly name: string;
  readonly object: UnstructuredObject;
  /** From the owner to the owner's owner. */
  readonly owners: readonly Owner[];
  /** The events of the object and its owners, latest last; times in milliseconds, NaN for an event without one. */
  readonly events: readonly { readonly of: string; readonly at: number; readonly event: CoreV1Event }[];
  /** Why events are missing. */
  readonly eventsProblem?: string;
}

/** Longer chains of owners must contain a cycle. */
const longestChain = 10;

const inNamespace = (namespace: string | undefined): { readonly namespace?: string } => (namespace === undefined ? {} : { namespace });

/** The controller, or the only owner if there is no controller. */
function ownerOf({ metadata }: UnstructuredObject): OwnerReference | undefined {
  const references = metadata?.ownerReferences ?? [];
  return references.find(({ controller }) => controller === true) ?? references[0];
}

async function readOwner(
  client: KubeClient,
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string | undefined,
): Promise<Owner> {
  const known = `${kind.toLowerCase()}/${name}`;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  try {
    const resource = await client.discovery.find(group === '' ? kind : `${kind}.${version}.${group}`);
    const object = await client.get(resource, name, inNamespace(resource.namespaced ? namespace : undefined));
    if (object.metadata?.uid !== uid) return { name: known, object: undefined, problem: 'another object has this name now' };
    return { name: known, object };
  } catch (error) {
    return { name: known, object: undefined, problem: errorLine(error) };
  }
}

async function readOwners(client: KubeClient, object: UnstructuredObject): Promise<Owner[]> {
  const owners: Owner[] = [];
  let reference = ownerOf(object);
  while (reference !== undefined && owners.length < longestChain) {
    const owner = await readOwner(client, reference, object.metadata?.namespace);
    owners.push(owner);
    reference = owner.object && ownerOf(owner.object);
  }
  return owners;
}

/** The time of the last occurrence. */
function timeOf({ series, lastTimestamp, eventTime, metadata }: CoreV1Event): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}

async function readEvents(
  client: KubeClient,
  name: string,
  { metadata: { uid = '', namespace } = {} }: UnstructuredObject,
): Promise<Facts['events']> {
  // Events of cluster-scoped objects are in the namespace `default`.
  const { items } = await client.list(resources.core.v1.events, {
    namespace: namespace ?? 'default',
    fieldSelector: `involvedObject.uid=${uid}`,
  });
  return items.map((event) => ({ of: name, at: timeOf(event), event }));
}

/** Reads an object, its owners, and the events of all of them. */
export async function gatherFacts(
  client: KubeClient,
  resource: Resource<UnstructuredObject>,
  name: string,
  namespace: string | undefined,
): Promise<Facts> {
  const object = await client.get(resource, name, inNamespace(namespace));
  const known = `${resource.singular ?? resource.kind.toLowerCase()}/${name}`;
  const owners = await readOwners(client, object);
  const facts = { name: known, object, owners };
  const all = [
    { name: known, object },
    ...owners.flatMap((owner) => (owner.object === undefined ? [] : [{ name: owner.name, object: owner.object }])),
  ];
  try {
    const events: Facts['events'][] = [];
    for (const one of all) events.push(await readEvents(client, one.name, one.object));
    return { ...facts, events: events.flat().sort((a, b) => a.at - b.at || 0) };
  } catch (error) {
    return { ...facts, events: [], eventsProblem: errorLine(error) };
  }
}
