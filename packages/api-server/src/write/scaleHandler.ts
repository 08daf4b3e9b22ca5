import { applyConfiguration } from '../apply/applyConfiguration.js';
import { checkApplied } from '../apply/checkApplied.js';
import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { isJsonObject, without, type JsonObject } from '../json.js';
import { shapeOf } from '../kinds/shapeOf.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { negotiateObject, requireObject, sendStored } from '../read/getObject.js';
import { shownObjectOf, type StoredContent, type StoredObject } from '../store/storedObject.js';
import { badRequest } from '../status/statusErrors.js';
import { documentOf } from './documentOf.js';
import { acceptFields } from './fieldValidation.js';
import { parseApplied } from './parseApplied.js';
import { patchOptionsOf } from './patchOptionsOf.js';
import { patchTypeOf } from './patchTypes.js';
import { configurationOf, scaleOf, withScale } from './scale.js';
import { checkOwnNamespace, submittedObject, subresourceKind } from './submittedObject.js';
import { submitUpdate } from './submit/submitUpdate.js';
import { writeOptionsOf } from './writeOptions.js';

const scaleVersion = 'autoscaling/v1';

function patchedScale(cluster: Cluster, exchange: Exchange, target: ResourceTarget, scale: JsonObject, body: Buffer): JsonObject {
  const patchType = patchTypeOf(target.resource, exchange.incoming.headers['content-type']);
  const kind = subresourceKind(target.resource, scaleVersion, 'Scale');
  const { result, patch } = patchType.apply({
    cluster,
    resource: kind,
    document: scale,
    body,
    subresource: 'scale',
    force: false,
    manager: '',
  });
  if (!isJsonObject(result)) throw badRequest('the patch does not result in a Scale');
  // Some clients send the kind of the object; the patch is still one of the Scale.
  const object = { ...result, kind: scale['kind'] ?? '', apiVersion: scale['apiVersion'] ?? '' };
  return acceptFields(cluster, exchange, kind, { object, known: scale, by: patchType.by, problems: () => patchType.problems(body, patch) });
}

/** The object after applying a Scale: the manager owns the number of replicas. */
function appliedThroughScale(
  cluster: Cluster,
  { parameters }: Exchange,
  { resource }: ResourceTarget,
  existing: StoredObject,
  body: Buffer,
  manager: string,
): JsonObject {
  const scale = parseApplied(body);
  const kind = subresourceKind(resource, scaleVersion, 'Scale');
  checkApplied(kind, scale, shapeOf(kind));
  const applied = configurationOf(resource, existing.content, scale);
  const request = {
    resource,
    live: documentOf(resource, existing),
    applied,
    manager,
    subresource: 'scale',
    force: parameters.flag('force'),
  };
  return applyConfiguration(cluster, request);
}

function sendScale(exchange: Exchange, resource: ServedResource, stored: StoredObject): Promise<void> {
  const content = without(scaleOf(resource, stored), 'kind', 'apiVersion') as unknown as StoredContent;
  return sendStored(exchange, { ...subresourceKind(resource, scaleVersion, 'Scale'), plural: 'scales' }, 200, shownObjectOf(content));
}

/** Handles the `scale` subresource: the number of replicas in the same form for all kinds. */
export async function handleScale(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource } = target;
  negotiateObject(exchange, resource);
  if (exchange.verb === 'get') {
    await sendScale(exchange, resource, requireObject(cluster, target));
    return;
  }
  const patch = exchange.verb === 'patch';
  const patchType = patch ? patchTypeOf(target.resource, exchange.incoming.headers['content-type']) : undefined;
  const applyType = patchType?.creates === true ? patchType : undefined;
  const options = applyType ? patchOptionsOf(exchange, applyType) : writeOptionsOf(patch ? 'PatchOptions' : 'UpdateOptions', exchange);
  const body = await readBody(exchange.incoming);
  const sent = patch ? {} : submittedObject(cluster, exchange, subresourceKind(resource, scaleVersion, 'Scale'), body);
  if (!patch) checkOwnNamespace(target, sent);
  const ask = (existing: StoredObject): JsonObject => {
    if (applyType) return appliedThroughScale(cluster, exchange, target, existing, body, options.manager ?? '');
    const scale = patch ? patchedScale(cluster, exchange, target, scaleOf(resource, existing), body) : sent;
    return withScale(resource, existing.content, scale, patch);
  };
  const lens = {
    show: (content: StoredContent) => scaleOf(resource, { content }),
    take: (existing: StoredContent, scale: JsonObject) => withScale(resource, existing, scale),
  };
  const update = { ...options, through: 'scale', subresource: '', patch: true };
  const stored = await submitUpdate(cluster, exchange, target, ask, update, lens);
  await sendScale(exchange, resource, stored);
}
