import type { Verb } from '../../../api/resource.js';
import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, type Json, type JsonObject } from '../json.js';
import { customRules } from '../kinds/kindRules.js';
import type { CustomResourceVersion, ServedResource } from '../kinds/servedResource.js';
import { schemaRules } from '../schema/schemaRules.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredContent } from '../store/storedObject.js';

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

function customVersion(version: Json, preserveUnknownFields: boolean): CustomResourceVersion {
  const scale = valueAt(version, 'subresources', 'scale');
  const labelSelectorPath = pathOf(valueAt(scale, 'labelSelectorPath'));
  return {
    schema: asJsonObject(valueAt(version, 'schema', 'openAPIV3Schema')),
    preserveUnknownFields,
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

function servedVersion(spec: JsonObject, version: Json): ServedResource {
  const names = asJsonObject(spec['names']);
  const group = asString(spec['group']);
  const name = asString(valueAt(version, 'name'));
  const kind = asString(names['kind']);
  const subresources = Object.keys(asJsonObject(valueAt(version, 'subresources'))).filter(
    (subresource) => subresource === 'status' || subresource === 'scale',
  );
  const plural = asString(names['plural']);
  const custom = customVersion(version, spec['preserveUnknownFields'] === true);
  return {
    group,
    version: name,
    groupVersion: `${group}/${name}`,
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
  };
}

/** The resources that a CustomResourceDefinition defines: one for each version that is served. */
export function definedResources(definition: StoredContent): readonly ServedResource[] {
  const spec = asJsonObject(definition['spec']);
  const served = listOf(spec['versions']).filter((version) => valueAt(version, 'served') === true);
  return served
    .map((version) => servedVersion(spec, version))
    .filter(({ group, kind, plural }) => group !== '' && kind !== '' && plural !== '');
}

function condition(type: string, reason: string, message: string, now: string): JsonObject {
  return { type, status: 'True', lastTransitionTime: now, reason, message };
}

function establishedStatus(content: StoredContent, now: string): JsonObject {
  const spec = asJsonObject(content['spec']);
  const stored = listOf(spec['versions']).flatMap((version) =>
    valueAt(version, 'storage') === true ? [asString(valueAt(version, 'name'))] : [],
  );
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found', now),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', now),
    ],
    acceptedNames: asJsonObject(spec['names']),
    storedVersions: stored,
  };
}

/** Deletes the objects of a kind that is no more, and ends their watches. */
function removeObjects({ store, watches }: Cluster, bucketId: string): void {
  const bucket = store.bucket(bucketId);
  for (const { content } of [...valuesBetween(bucket.root)]) store.commit(bucketId, 'DELETED', content);
  setImmediate(() => watches.endAll(bucket));
}

/** Says in the definition's status that its names are taken and it is served. */
function establish({ store, clock }: Cluster, key: string): void {
  const current = store.bucket(definitions).get(key);
  if (current === undefined) return;
  const known = asJsonObject(current.content['status']);
  const status = establishedStatus(current.content, timestamp(clock.now()));
  if (jsonEqual(known['acceptedNames'], status['acceptedNames']) && jsonEqual(known['storedVersions'], status['storedVersions'])) return;
  store.commit(definitions, 'MODIFIED', { ...current.content, status });
}

/** Serves custom resources as their definitions come, change and go. */
export function serveCustomResources(cluster: Cluster): void {
  const { store, kinds } = cluster;
  const refresh = (): void =>
    kinds.setCustom([...valuesBetween(store.bucket(definitions).root)].flatMap(({ content }) => definedResources(content)));
  refresh();
  store.onReplace(refresh);
  store.onChange(({ id }, { type, object }) => {
    if (id !== definitions) return;
    refresh();
    const [defined] = definedResources(object.content);
    if (type !== 'DELETED') setImmediate(() => establish(cluster, object.key));
    else if (defined !== undefined) setImmediate(() => removeObjects(cluster, defined.bucketId));
  });
}
