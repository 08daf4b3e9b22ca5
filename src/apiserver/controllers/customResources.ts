import type { Verb } from '../../api/resource.js';
import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { QueryParameters } from '../http/queryParameters.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, type Json, type JsonObject } from '../json.js';
import { cleanupFinalizer, storedVersionsOf } from '../kinds/definitionStatus.js';
import { customRules } from '../kinds/kindRules.js';
import type { CustomResourceVersion, ServedResource } from '../kinds/servedResource.js';
import { WebhookConversion } from '../conversion/webhookConversion.js';
import { hasRules } from '../schema/rules/ruleEngine.js';
import { hasPattern } from '../schema/patterns.js';
import { schemaRules } from '../schema/schemaRules.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { ChangeType } from '../store/bucket.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';
import { deleteObject } from '../write/deleteObject.js';
import { deleteOptionsOf } from '../write/deleteOptions.js';
import { orderedMeta } from '../write/objectMeta.js';

const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
const verbs: ReadonlySet<Verb> = new Set(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']);

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

function pathOf(value: Json | undefined): string {
  return asString(value).replace(/^\./, '');
}

/** The conversion of each definition, by its uid, with what the definition said. */
const conversions = new WeakMap<Cluster, Map<string, { readonly said: string; readonly conversion: WebhookConversion }>>();

/** The conversion that a definition asks for: the same one for as long as the definition says the same of it. */
function webhookOf(cluster: Cluster, definition: StoredContent): WebhookConversion | undefined {
  const spec = asJsonObject(definition['spec']);
  const webhook = valueAt(spec, 'conversion', 'webhook');
  const all = conversions.get(cluster) ?? new Map<string, { readonly said: string; readonly conversion: WebhookConversion }>();
  conversions.set(cluster, all);
  const { uid } = definition.metadata;
  if (valueAt(spec, 'conversion', 'strategy') !== 'Webhook' || !isJsonObject(webhook)) return undefined;
  const kind = asString(valueAt(spec, 'names', 'kind'));
  // Objects stay in the version that was the first to be stored.
  const [stored = ''] = [...textsOf(valueAt(definition, 'status', 'storedVersions')), ...storedVersionsOf(definition)];
  const said = JSON.stringify([kind, stored, webhook]);
  const known = all.get(uid);
  if (known?.said === said) return known.conversion;
  const conversion = new WebhookConversion(cluster, kind, `${asString(spec['group'])}/${stored}`, webhook);
  all.set(uid, { said, conversion });
  return conversion;
}

function customVersion(version: Json, preserveUnknownFields: boolean, webhook: WebhookConversion | undefined): CustomResourceVersion {
  const scale = valueAt(version, 'subresources', 'scale');
  const labelSelectorPath = pathOf(valueAt(scale, 'labelSelectorPath'));
  return {
    schema: asJsonObject(valueAt(version, 'schema', 'openAPIV3Schema')),
    preserveUnknownFields,
    webhook,
    hasPatterns: hasPattern(valueAt(version, 'schema')),
    hasRules: hasRules(valueAt(version, 'schema')),
    printerColumns: listOf(valueAt(version, 'additionalPrinterColumns')).filter(isJsonObject),
    ...(isJsonObject(scale) && {
      scale: {
        specReplicasPath: pathOf(scale['specReplicasPath']),
        statusReplicasPath: pathOf(scale['statusReplicasPath']),
        ...(labelSelectorPath !== '' && { labelSelectorPath }),
      },
    }),
  };
}

function servedVersion(spec: JsonObject, version: Json, webhook: WebhookConversion | undefined): ServedResource {
  const names = asJsonObject(spec['names']);
  const group = asString(spec['group']);
  const name = asString(valueAt(version, 'name'));
  const kind = asString(names['kind']);
  const subresources = Object.keys(asJsonObject(valueAt(version, 'subresources'))).filter(
    (subresource) => subresource === 'status' || subresource === 'scale',
  );
  const plural = asString(names['plural']);
  const custom = customVersion(version, spec['preserveUnknownFields'] === true, webhook);
  const groupVersion = `${group}/${name}`;
  return {
    group,
    version: name,
    groupVersion,
    plural,
    singular: asString(names['singular']) || kind.toLowerCase(),
    kind,
    listKind: asString(names['listKind']) || `${kind}List`,
    namespaced: spec['scope'] !== 'Cluster',
    verbs,
    shortNames: textsOf(names['shortNames']),
    categories: textsOf(names['categories']),
    subresources: new Set(subresources),
    bucketId: `${group}/${plural}`,
    rules: { ...customRules(subresources.includes('status')), ...schemaRules(custom, valueAt(version, 'selectableFields')) },
    custom,
    ...(webhook !== undefined &&
      webhook.stored !== groupVersion && {
        conversion: { toStored: (content) => content, fromStored: (content) => webhook.show(groupVersion, content) },
      }),
  };
}

/** The resources that a CustomResourceDefinition defines: one for each version that is served. */
export function definedResources(cluster: Cluster, definition: StoredContent): readonly ServedResource[] {
  const spec = asJsonObject(definition['spec']);
  const webhook = webhookOf(cluster, definition);
  const served = listOf(spec['versions']).filter((version) => valueAt(version, 'served') === true);
  return served
    .map((version) => servedVersion(spec, version, webhook))
    .filter(({ group, kind, plural }) => group !== '' && kind !== '' && plural !== '');
}

function condition(type: string, reason: string, message: string, now: string): JsonObject {
  return { type, status: 'True', lastTransitionTime: now, reason, message };
}

function establishedStatus(content: StoredContent, now: string): JsonObject {
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found', now),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', now),
    ],
    acceptedNames: asJsonObject(valueAt(content, 'spec', 'names')),
    storedVersions: [...new Set([...textsOf(valueAt(content, 'status', 'storedVersions')), ...storedVersionsOf(content)])],
  };
}

/** Says in the definition's status that its names are taken and it is served, and keeps it until its objects are gone. */
function establish({ store, clock }: Cluster, key: string): void {
  const current = store.bucket(definitions).get(key);
  if (current?.head.deletionTimestamp !== undefined || current === undefined) return;
  const { metadata } = current.content;
  const known = asJsonObject(current.content['status']);
  const status = establishedStatus(current.content, timestamp(clock.now()));
  const finalizers = [...new Set([...(metadata.finalizers ?? []), cleanupFinalizer])];
  const same = jsonEqual(known['acceptedNames'], status['acceptedNames']) && jsonEqual(known['storedVersions'], status['storedVersions']);
  if (same && (metadata.finalizers ?? []).includes(cleanupFinalizer)) return;
  store.commit(definitions, 'MODIFIED', {
    ...current.content,
    metadata: orderedMeta(metadata, { finalizers }),
    status: same ? known : status,
  });
}

const options = deleteOptionsOf(new QueryParameters(''), undefined, Buffer.alloc(0));

/** Deletes the objects of a definition that is to go, and lets it go with the last of them. */
function cleanUp(cluster: Cluster, key: string): void {
  const { store, kinds } = cluster;
  const current = store.bucket(definitions).get(key);
  if (current?.head.deletionTimestamp === undefined || current.head.finalizers?.includes(cleanupFinalizer) !== true) return;
  const [defined] = definedResources(cluster, current.content);
  const bucket = defined && store.bucket(defined.bucketId);
  for (const object of bucket === undefined ? [] : [...valuesBetween(bucket.root)]) {
    const resource = kinds.ofBucket(bucket?.id ?? '');
    if (resource !== undefined && object.head.deletionTimestamp === undefined) deleteObject(cluster, resource, object, options);
  }
  if (bucket !== undefined && bucket.root !== undefined) return;
  const finalizers = current.head.finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
  const content = { ...current.content, metadata: orderedMeta(current.content.metadata, { finalizers }) };
  store.commit(definitions, finalizers.length === 0 ? 'DELETED' : 'MODIFIED', content);
}

/** Ends the watches of a kind that is no more, and forgets its history. */
function forget({ store, watches, kinds }: Cluster, bucketId: string): void {
  if (kinds.ofBucket(bucketId) !== undefined) return;
  watches.endAll(store.bucket(bucketId));
  store.dropBucket(bucketId);
}

/** Serves custom resources as their definitions come, change and go. */
export function serveCustomResources(cluster: Cluster): void {
  const { store, kinds } = cluster;
  /** The definition of each kind that is about to go, by its bucket. */
  const leaving = new Map<string, string>();
  /** What each definition defines, by its name. */
  const defined = new Map<string, readonly ServedResource[]>();
  const serve = (): void => kinds.setCustom([...defined.keys()].sort().flatMap((name) => defined.get(name) ?? []));
  const readAll = (): void => {
    leaving.clear();
    defined.clear();
    for (const { key, content } of valuesBetween(store.bucket(definitions).root)) defined.set(key, definedResources(cluster, content));
    serve();
  };
  readAll();
  store.onReplace(readAll);
  const serveChange = (type: ChangeType, { key, content }: StoredObject): readonly ServedResource[] => {
    const resources = definedResources(cluster, content);
    if (type === 'DELETED') defined.delete(key);
    else defined.set(key, resources);
    serve();
    return resources;
  };
  store.onChange(({ id }, { type, object }) => {
    const waiting = type === 'DELETED' ? leaving.get(id) : undefined;
    if (waiting !== undefined) setImmediate(() => cleanUp(cluster, waiting));
    if (id !== definitions) return;
    const [first] = serveChange(type, object);
    if (first === undefined) return;
    if (type === 'DELETED') {
      leaving.delete(first.bucketId);
      conversions.get(cluster)?.delete(object.head.uid);
      setImmediate(() => forget(cluster, first.bucketId));
    } else if (object.head.deletionTimestamp === undefined) setImmediate(() => establish(cluster, object.key));
    else {
      leaving.set(first.bucketId, object.key);
      setImmediate(() => cleanUp(cluster, object.key));
    }
  });
}
