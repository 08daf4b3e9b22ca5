import { asJsonObject, asString, isJsonObject, listAt, textAt, textsAt, valueAt, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest, conflict, invalid, invalidValue, namelessObject } from '../status/statusErrors.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';

interface ScalePaths {
  readonly replicas: readonly string[];
  readonly current: readonly string[];
  readonly selector: readonly string[];
}

function pathsOf({ custom }: ServedResource): ScalePaths {
  const scale = custom?.scale;
  if (scale === undefined) return { replicas: ['spec', 'replicas'], current: ['status', 'replicas'], selector: ['spec', 'selector'] };
  return {
    replicas: scale.specReplicasPath.split('.'),
    current: scale.statusReplicasPath.split('.'),
    selector: scale.labelSelectorPath?.split('.') ?? [],
  };
}

/** A selector, or a plain map of labels, in the words of Go: by key, and the values of each in order. */
export function selectorText(selector: Json | undefined): string {
  if (typeof selector === 'string') return selector;
  const { matchLabels, matchExpressions } = asJsonObject(selector);
  const labels = isJsonObject(matchLabels) || Array.isArray(matchExpressions) ? matchLabels : selector;
  const ofLabels = Object.entries(asJsonObject(labels)).map(([key, value]) => [key, `${key}=${asString(value)}`] as const);
  const ofExpressions = listAt(matchExpressions).map((expression) => {
    const [key, operator] = [textAt(expression, 'key'), textAt(expression, 'operator')];
    const values = [...textsAt(expression, 'values')].sort().join(',');
    return [
      key,
      operator === 'Exists' ? key : operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values})`,
    ] as const;
  });
  const terms = [...ofLabels, ...ofExpressions].sort(([a], [b]) => (a < b ? -1 : 1));
  return terms.map(([, text]) => text).join(',');
}

/** The Scale of an object. */
export function scaleOf(resource: ServedResource, { content }: Pick<StoredObject, 'content'>): JsonObject {
  const paths = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = content.metadata;
  const replicas = valueAt(content, ...paths.replicas) ?? 0;
  const selector = paths.selector.length === 0 ? '' : selectorText(valueAt(content, ...paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // Go omits `spec.replicas` when it is 0, but not `status.replicas`.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: valueAt(content, ...paths.current) ?? 0, ...(selector !== '' && { selector }) },
  };
}

function withValue(object: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  return { ...object, [name]: rest.length === 0 ? value : withValue(asJsonObject(object[name]), rest, value) };
}

/**
 * The object that results from a Scale, with the Scale's resourceVersion as the precondition.
 *
 * @throws StatusError for an invalid number of replicas.
 */
export function withScale(resource: ServedResource, content: StoredContent, scale: JsonObject, patched = false): JsonObject {
  const { name } = content.metadata;
  const replicas = replicasOf(content, scale);
  const { resourceVersion = '', uid = '', name: named } = asJsonObject(scale['metadata']);
  if (asString(named) === '') throw namelessObject(name);
  if (named !== name) throw badRequest(`the name of the object (${asString(named)}) does not match the name on the URL (${name})`);
  if (patched && resource.custom === undefined && uid !== '' && uid !== content.metadata.uid) {
    const scaled = { group: resource.group, plural: `${resource.plural}/scale` };
    const found = `UID in precondition: ${asString(uid)}, UID in object meta: ${content.metadata.uid}`;
    throw conflict(scaled, name, `Precondition failed: ${found}`);
  }
  const metadata = { ...content.metadata, resourceVersion, uid };
  return withValue({ ...content, metadata }, pathsOf(resource).replicas, replicas);
}

/** The configuration of the object that corresponds to an applied Scale. */
export function configurationOf(resource: ServedResource, content: StoredContent, scale: JsonObject): JsonObject {
  const version = valueAt(scale, 'metadata', 'resourceVersion');
  const metadata = { name: content.metadata.name, ...(version !== undefined && { resourceVersion: version }) };
  const identity = { apiVersion: resource.groupVersion, kind: resource.kind, metadata };
  return withValue(identity, pathsOf(resource).replicas, replicasOf(content, scale));
}

/** The number of replicas in a Scale. */
function replicasOf(content: StoredContent, scale: JsonObject): number {
  const { name } = content.metadata;
  const kind = scale['kind'];
  if (kind !== undefined && kind !== '' && kind !== 'Scale') throw badRequest(`${asString(kind)} cannot be handled as a Scale`);
  const replicas = valueAt(scale, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    throw badRequest('Scale in version "v1" cannot be handled as a Scale: spec.replicas is not an integer');
  if (replicas < 0) {
    throw invalid('Scale', 'autoscaling', name, [invalidValue('spec.replicas', String(replicas), 'must be greater than or equal to 0')]);
  }
  return replicas;
}
