import type { Verb } from 'rx-informer';
import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import {
  asJsonObject,
  asString,
  hasCondition,
  isJsonObject,
  isEqualJson,
  listAt,
  objectsAt,
  textsAt,
  valueAt,
  without,
  type Json,
  type JsonObject,
} from '../json.js';
import { cleanupFinalizer, storedVersionsOf } from '../kinds/definitionStatus.js';
import { customRules } from '../kinds/kindRules.js';
import type { CustomResourceVersion, ServedResource, Translation } from '../kinds/servedResource.js';
import { schemaConversion } from '../conversion/schemaConversion.js';
import { WebhookConversion } from '../conversion/webhookConversion.js';
import { hasRules } from '../schema/rules/ruleEngine.js';
import { hasPattern } from '../schema/patterns.js';
import { schemaRules } from '../schema/schemaRules.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { ChangeType } from '../store/bucket.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';
import { deleteObject } from '../write/deleteObject.js';
import { noDeleteOptions } from '../write/deleteOptions.js';
import { orderedMeta } from '../write/objectMeta.js';

const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
/**
 * The minimum time that a deleted definition stays `Terminating`. The controller of a real server takes some time, too, so that a client that opens a watch
 * right after the deletion sees the DELETED event.
 */
const leaveMs = 50;
const verbs: ReadonlySet<Verb> = new Set(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']);

function pathOf(value: Json | undefined): string {
  return asString(value).replace(/^\./, '');
}

/** The conversion of each definition, by its uid, with the fields of the definition that it was made from. */
const conversions = new WeakMap<Cluster, Map<string, { readonly said: string; readonly conversion: WebhookConversion }>>();

/** The schema of each version, named with its group; undefined where unknown fields are kept. */
function schemasOf({ spec }: StoredContent): ReadonlyMap<string, JsonObject | undefined> {
  const group = asString(valueAt(spec, 'group'));
  return new Map(
    listAt(spec, 'versions').map((version) => {
      const schema = valueAt(version, 'schema', 'openAPIV3Schema');
      const structural = valueAt(spec, 'preserveUnknownFields') !== true && isJsonObject(schema);
      return [`${group}/${asString(valueAt(version, 'name'))}`, structural ? schema : undefined] as const;
    }),
  );
}

/** The conversion of a definition: the same instance until the definition's fields for it change. */
function webhookOf(cluster: Cluster, definition: StoredContent): WebhookConversion | undefined {
  const spec = asJsonObject(definition['spec']);
  const webhook = valueAt(spec, 'conversion', 'webhook');
  const all = conversions.get(cluster) ?? new Map<string, { readonly said: string; readonly conversion: WebhookConversion }>();
  conversions.set(cluster, all);
  const { uid } = definition.metadata;
  if (valueAt(spec, 'conversion', 'strategy') !== 'Webhook' || !isJsonObject(webhook)) return undefined;
  const kind = asString(valueAt(spec, 'names', 'kind'));
  // The first version in `status.storedVersions` stays the stored one.
  const [stored = ''] = [...textsAt(definition, 'status', 'storedVersions'), ...storedVersionsOf(definition)];
  const schemas = schemasOf(definition);
  const known = all.get(uid);
  const said = JSON.stringify([kind, webhook, [...schemas]]);
  if (known?.said === said) return known.conversion;
  // Objects are not converted anew: what is stored stays in its version.
  const version = known?.conversion.stored ?? `${asString(spec['group'])}/${stored}`;
  const conversion = new WebhookConversion(cluster, kind, version, webhook, schemas);
  all.set(uid, { said, conversion });
  return conversion;
}

/**
 * The translation between the schemas of a definition: needed when its versions have different schemas, or when a schema has changed after
 * objects were stored.
 */
function schemaTranslation({ metadata, ...definition }: StoredContent): Translation | undefined {
  const spec = asJsonObject(definition['spec']);
  const group = asString(spec['group']);
  const schemas = schemasOf({ metadata, ...definition });
  const differing = new Set([...schemas.values()].map((schema) => JSON.stringify(schema))).size > 1;
  if (!differing && (metadata.generation ?? 1) === 1) return undefined;
  const [stored = ''] = storedVersionsOf(definition);
  return schemaConversion(`${group}/${stored}`, schemas);
}

/** The warning in answers about a deprecated version. */
function deprecationOf(version: Json, groupVersion: string, kind: string): { readonly deprecation?: string } {
  if (valueAt(version, 'deprecated') !== true) return {};
  return { deprecation: asString(valueAt(version, 'deprecationWarning')) || `${groupVersion} ${kind} is deprecated` };
}

function customVersion(version: Json, preserveUnknownFields: boolean, webhook: Translation | undefined): CustomResourceVersion {
  const scale = valueAt(version, 'subresources', 'scale');
  const labelSelectorPath = pathOf(valueAt(scale, 'labelSelectorPath'));
  return {
    schema: asJsonObject(valueAt(version, 'schema', 'openAPIV3Schema')),
    preserveUnknownFields,
    webhook,
    hasPatterns: hasPattern(valueAt(version, 'schema')),
    hasRules: hasRules(valueAt(version, 'schema')),
    printerColumns: objectsAt(version, 'additionalPrinterColumns'),
    ...(isJsonObject(scale) && {
      scale: {
        specReplicasPath: pathOf(scale['specReplicasPath']),
        statusReplicasPath: pathOf(scale['statusReplicasPath']),
        ...(labelSelectorPath !== '' && { labelSelectorPath }),
      },
    }),
  };
}

/** The bucket of a definition's objects; it does not depend on which versions are served. */
function bucketIdOf({ spec }: StoredContent): string {
  return `${asString(valueAt(spec, 'group'))}/${asString(valueAt(spec, 'names', 'plural'))}`;
}

function servedVersion(spec: JsonObject, version: Json, webhook: Translation | undefined): ServedResource {
  const names = asJsonObject(spec['names']);
  const group = asString(spec['group']);
  const name = asString(valueAt(version, 'name'));
  const kind = asString(names['kind']);
  const subresources = ['status', 'scale'].filter((name) => valueAt(version, 'subresources', name) !== undefined);
  const plural = asString(names['plural']);
  const custom = customVersion(version, spec['preserveUnknownFields'] === true, webhook);
  const groupVersion = `${group}/${name}`;
  const varies = webhook instanceof WebhookConversion;
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
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
    subresources: new Set(subresources),
    bucketId: `${group}/${plural}`,
    rules: { ...customRules(subresources.includes('status')), ...schemaRules(custom, valueAt(version, 'selectableFields')) },
    custom,
    ...deprecationOf(version, groupVersion, kind),
    ...(webhook !== undefined &&
      (webhook.stored !== groupVersion || !varies) && {
        conversion: { toStored: (content) => content, fromStored: (content) => webhook.show(groupVersion, content), varies },
      }),
  };
}

/** The resources that a CustomResourceDefinition defines: one for each version that is served. */
export function definedResources(cluster: Cluster, definition: StoredContent): readonly ServedResource[] {
  const spec = asJsonObject(definition['spec']);
  const webhook = webhookOf(cluster, definition) ?? schemaTranslation(definition);
  // Its names conflict with those of another definition.
  if (hasCondition(definition, 'Established', 'False')) return [];
  const terminating = hasCondition(definition, 'Terminating', 'True');
  const served = listAt(spec, 'versions').filter((version) => valueAt(version, 'served') === true);
  return served
    .map((version) => ({ ...servedVersion(spec, version, webhook), ...(terminating && { terminating }) }))
    .filter(({ group, kind, plural }) => group !== '' && kind !== '' && plural !== '');
}

function condition(type: string, reason: string, message: string, now: string): JsonObject {
  return { type, status: 'True', lastTransitionTime: now, reason, message };
}

/** The accepted names of other definitions of a group: plurals and kinds. */
function takenNames({ store }: Cluster, content: StoredContent): { readonly resources: Set<string>; readonly kinds: Set<string> } {
  const group = valueAt(content, 'spec', 'group');
  const taken = { resources: new Set<string>(), kinds: new Set<string>() };
  for (const other of valuesBetween(store.bucket(definitions).root)) {
    if (other.name === content.metadata.name || valueAt(other.content, 'spec', 'group') !== group) continue;
    const { plural, singular, shortNames, kind, listKind } = asJsonObject(valueAt(other.content, 'status', 'acceptedNames'));
    for (const name of [plural, singular, ...listAt(shortNames)]) taken.resources.add(asString(name));
    for (const name of [kind, listKind]) taken.kinds.add(asString(name));
  }
  return taken;
}

/** The names that a definition gets, and the last name that is taken by another definition. */
function acceptedNames(
  cluster: Cluster,
  content: StoredContent,
): { readonly names: JsonObject; readonly conflict?: readonly [string, string] } {
  const asked = asJsonObject(valueAt(content, 'spec', 'names'));
  const { resources, kinds } = takenNames(cluster, content);
  let names: JsonObject = { ...asked };
  let conflict: readonly [string, string] | undefined;
  const check = (field: string, reason: string, taken: ReadonlySet<string>): void => {
    const wrong = [asked[field]]
      .flat()
      .map((name) => asString(name as Json))
      .find((name) => name !== '' && taken.has(name));
    if (wrong === undefined) return;
    conflict = [reason, `${JSON.stringify(wrong)} is already in use`];
    names = field === 'plural' || field === 'kind' ? { ...names, [field]: '' } : without(names, field);
  };
  check('plural', 'PluralConflict', resources);
  check('singular', 'SingularConflict', resources);
  check('shortNames', 'ShortNamesConflict', resources);
  check('kind', 'KindConflict', kinds);
  check('listKind', 'ListKindConflict', kinds);
  return { names, ...(conflict !== undefined && { conflict }) };
}

function establishedStatus(cluster: Cluster, content: StoredContent, now: string): JsonObject {
  const { names, conflict } = acceptedNames(cluster, content);
  const refused = (type: string, reason: string, message: string): JsonObject => ({
    ...condition(type, reason, message, now),
    status: 'False',
  });
  return {
    conditions:
      conflict === undefined
        ? [
            condition('NamesAccepted', 'NoConflicts', 'no conflicts found', now),
            condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', now),
          ]
        : [refused('NamesAccepted', ...conflict), refused('Established', 'NotAccepted', 'not all names are accepted')],
    acceptedNames: names,
    storedVersions: [...new Set([...textsAt(content, 'status', 'storedVersions'), ...storedVersionsOf(content)])],
  };
}

/** Sets the conditions `NamesAccepted` and `Established` of a definition. */
function establish(cluster: Cluster, key: string): void {
  const { store, clock } = cluster;
  const current = store.bucket(definitions).get(key);
  if (current?.head.deletionTimestamp !== undefined || current === undefined) return;
  const known = asJsonObject(current.content['status']);
  const status = establishedStatus(cluster, current.content, timestamp(clock.now()));
  const same =
    isEqualJson(known['acceptedNames'], status['acceptedNames']) && isEqualJson(known['storedVersions'], status['storedVersions']);
  if (!same) store.commit(definitions, 'MODIFIED', { ...current.content, status });
}

/** Deletes the objects of a definition that is being deleted, then removes its finalizer. */
function cleanUp(cluster: Cluster, key: string): void {
  const { store, kinds } = cluster;
  const current = store.bucket(definitions).get(key);
  if (current?.head.deletionTimestamp === undefined || current.head.finalizers?.includes(cleanupFinalizer) !== true) return;
  const bucket = store.bucket(bucketIdOf(current.content));
  const resource = kinds.ofBucket(bucket.id);
  for (const object of [...valuesBetween(bucket.root)])
    if (resource === undefined) store.commit(bucket.id, 'DELETED', object.content);
    else if (object.head.deletionTimestamp === undefined) deleteObject(cluster, resource, object, noDeleteOptions);
  // If the definition serves no version, its objects go at once.
  if (resource !== undefined && bucket.root !== undefined) return;
  const finalizers = current.head.finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
  const content = { ...current.content, metadata: orderedMeta(current.content.metadata, { finalizers }) };
  store.commit(definitions, finalizers.length === 0 ? 'DELETED' : 'MODIFIED', content);
}

/** Ends the watches of a kind that is not served any more, and drops its history. */
function forget({ store, watches, kinds }: Cluster, bucketId: string): void {
  if (kinds.ofBucket(bucketId) !== undefined) return;
  watches.endAll(store.bucket(bucketId));
  store.dropBucket(bucketId);
}

/** Serves custom resources, following the creation, changes and deletion of their definitions. */
export function serveCustomResources(cluster: Cluster): void {
  const { store, kinds, clock, watches } = cluster;
  /** The name of the definition that is being deleted, by the bucket of its kind. */
  const leaving = new Map<string, string>();
  /** The resources of each definition, by its name. */
  const defined = new Map<string, readonly ServedResource[]>();
  const leave = ({ key, content }: StoredObject): void => {
    leaving.set(bucketIdOf(content), key);
    clock.schedule(() => cleanUp(cluster, key), leaveMs);
  };
  const serve = (): void => kinds.setCustom([...defined.keys()].sort().flatMap((name) => defined.get(name) ?? []));
  const readAll = (): void => {
    leaving.clear();
    defined.clear();
    for (const object of valuesBetween(store.bucket(definitions).root)) {
      defined.set(object.key, definedResources(cluster, object.content));
      if (object.head.deletionTimestamp !== undefined) leave(object);
    }
    serve();
  };
  readAll();
  store.onReplace(readAll);
  const serveChange = (type: ChangeType, { key, content }: StoredObject): void => {
    if (type === 'DELETED') defined.delete(key);
    else defined.set(key, definedResources(cluster, content));
    serve();
  };
  store.onChange(({ id }, { type, object, previous }) => {
    const waiting = type === 'DELETED' ? leaving.get(id) : undefined;
    if (waiting !== undefined) setImmediate(() => cleanUp(cluster, waiting));
    if (id !== definitions) return;
    serveChange(type, object);
    const bucketId = bucketIdOf(object.content);
    if (previous !== undefined && !isEqualJson(previous.content['spec'], object.content['spec'])) {
      // A changed kind is served anew, with an empty watch cache.
      watches.endAll(store.bucket(bucketId));
      store.expireWatches(undefined, bucketId);
    }
    if (type === 'DELETED') {
      leaving.delete(bucketId);
      conversions.get(cluster)?.delete(object.head.uid);
      setImmediate(() => forget(cluster, bucketId));
    } else if (object.head.deletionTimestamp === undefined) setImmediate(() => establish(cluster, object.key));
    else leave(object);
  });
}
