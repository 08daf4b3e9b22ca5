import type { UnstructuredObject } from 'rx-informer';
import { similarTo } from 'rx-informer/internal';
import type { Cluster } from './cluster.js';
import { asString, isJsonObject, type JsonObject } from './json.js';
import type { ServedResource } from './kinds/servedResource.js';
import { type Manifests, objectsOf } from './manifests.js';
import { containerNames } from './logs/containerRuns.js';
import { findObject, requireObject } from './read/getObject.js';
import { valuesBetween } from './store/orderedMap.js';
import { createObject } from './write/createObject.js';
import { deleteObject } from './write/deleteObject.js';
import { noDeleteOptions } from './write/deleteOptions.js';
import { documentOf } from './write/documentOf.js';
import { type ObjectTarget, updateObject } from './write/updateObject.js';

/** Identifies one object. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Synchronous reads and writes without HTTP. Writes include the status. */
export class ObjectAccess {
  private readonly cluster: Cluster;

  /** @internal */
  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  /**
   * Creates objects, or replaces existing ones, including their status. Missing namespaces are created. A resourceVersion or uid in the
   * manifests is ignored. Objects with a conversion webhook have to be in the version that is stored.
   *
   * @returns the objects as they are stored.
   */
  put(manifests: Manifests): readonly UnstructuredObject[] {
    return objectsOf(manifests).map((object) => this.putOne(object));
  }

  /** One object, in the version that the reference names. */
  get(reference: ObjectReference): UnstructuredObject | undefined {
    const target = this.targetOf(reference);
    const stored = findObject(this.cluster, target);
    return stored === undefined ? undefined : documentOf(target.resource, stored);
  }

  /** All objects of a kind in the order of lists. */
  list(kind: { readonly apiVersion: string; readonly kind: string }, namespace = ''): readonly UnstructuredObject[] {
    const resource = this.resourceOf(kind);
    const { root } = this.cluster.store.bucket(resource.bucketId);
    const stored = [...valuesBetween(root)].filter((object) => namespace === '' || object.namespace === namespace);
    return stored.map((object) => documentOf(resource, object));
  }

  /** Deletes an object like a client without further options: finalizers and grace periods apply. */
  delete(reference: ObjectReference): void {
    const target = this.targetOf(reference);
    const stored = findObject(this.cluster, target);
    if (stored !== undefined) deleteObject(this.cluster, target.resource, stored, noDeleteOptions);
  }

  /**
   * Writes lines into the log of a pod's container. From then on, the log contains only written lines. Default: the pod's only container,
   * or its first one.
   */
  log(pod: { readonly name: string; readonly namespace?: string }, text: string, container?: string): void {
    const { name, namespace = 'default' } = pod;
    const { logs, clock } = this.cluster;
    const { content } = requireObject(this.cluster, this.targetOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } }));
    const names = containerNames(content);
    const known = container ?? names[0] ?? '';
    if (!names.includes(known)) throw new TypeError(`Expected a container of the pod ${name}, which has ${names.join(', ')}; got ${known}`);
    logs.write(`${content.metadata.uid}/${known}`, clock.now(), text);
  }

  private putOne(object: JsonObject): UnstructuredObject {
    const { apiVersion, kind, metadata } = object;
    const resource = this.resourceOf({ apiVersion: asString(apiVersion), kind: asString(kind) });
    if (resource.conversion?.varies === true)
      throw new TypeError(`Expected a ${resource.kind} of the stored version: only requests call its webhook`);
    const sent = isJsonObject(metadata) ? metadata : {};
    const { resourceVersion: _, uid: __, ...meta } = sent;
    const namespace = resource.namespaced ? asString(meta['namespace']) || 'default' : '';
    const submitted = { ...object, metadata: { ...meta, ...(namespace !== '' && { namespace }) } };
    const target = { resource, namespace, name: asString(meta['name']) };
    // Given owners of fields are kept.
    const options = { dryRun: false, keepStatus: true, applied: meta['managedFields'] !== undefined };
    const existing = findObject(this.cluster, target);
    if (existing !== undefined)
      return documentOf(resource, updateObject(this.cluster, target, existing, submitted, { ...options, subresource: '', patch: true }));
    if (namespace !== '') this.ensureNamespace(namespace);
    return documentOf(resource, createObject(this.cluster, resource, namespace, submitted, options));
  }

  private ensureNamespace(name: string): void {
    const resource = this.resourceOf({ apiVersion: 'v1', kind: 'Namespace' });
    if (findObject(this.cluster, { resource, namespace: '', name }) === undefined)
      createObject(this.cluster, resource, '', { metadata: { name } }, { dryRun: false });
  }

  private targetOf({ apiVersion, kind, metadata }: ObjectReference): ObjectTarget {
    const resource = this.resourceOf({ apiVersion, kind });
    return { resource, namespace: resource.namespaced ? (metadata.namespace ?? 'default') : '', name: metadata.name };
  }

  private resourceOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): ServedResource {
    const resource = this.cluster.kinds.findKind(apiVersion, kind);
    if (resource !== undefined) return resource;
    const kinds = this.cluster.kinds.all();
    const elsewhere = kinds.find((served) => served.kind === kind)?.groupVersion;
    const names = kinds.map((served) => served.kind);
    const hint = elsewhere === undefined ? similarTo(kind, names) : `; ${kind} is served as ${elsewhere}`;
    const got = `${JSON.stringify(apiVersion)} and ${JSON.stringify(kind)}`;
    const custom = hint === '' ? '; the definition of a custom kind has to be put before its objects' : '';
    throw new TypeError(`Expected the apiVersion and kind of an object that is served here, got ${got}${hint}${custom}`);
  }
}
