import type { Cluster } from '../cluster.js';
import { prepareConversion } from '../conversion/prepareConversion.js';
import { getObject } from '../read/getObject.js';
import { listObjects } from '../read/listObjects.js';
import { handleLog } from '../logs/handleLog.js';
import { getComponent, listComponents } from '../special/componentStatuses.js';
import { handleBinding, handleEviction } from '../special/podSubresources.js';
import { handleReview, isReview } from '../special/reviews.js';
import { warn } from '../write/warnings.js';
import { nameProblems } from '../write/nameProblem.js';
import { loadRules } from '../schema/rules/ruleEngine.js';
import { loadPatterns } from '../schema/patterns.js';
import { handleToken } from '../special/serviceAccountToken.js';
import { handleUnavailable } from '../special/unavailable.js';
import { badRequest, methodNotAllowed, notFound, pathNotFound } from '../status/statusErrors.js';
import { watchObjects } from '../watch/watchObjects.js';
import { handlePatch } from '../write/patchHandler.js';
import { handleScale } from '../write/scaleHandler.js';
import { handleCreate, handleDelete, handleDeleteCollection, handleReplace } from '../write/writeHandlers.js';
import type { Exchange } from './exchange.js';
import type { ResourceTarget } from './routePath.js';

/** Kinds whose objects contain expressions that are compiled at each write. */
const hasExpressions = new Set([
  'apiextensions.k8s.io/customresourcedefinitions',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
]);

type Handler = (cluster: Cluster, exchange: Exchange, target: ResourceTarget) => Promise<void>;

const verbsOfMethod: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The verb of the request; `''` for an unknown method. */
export function verbOf({ method, parameters }: Exchange, { name, subresource, watchPrefix }: ResourceTarget): string {
  if (watchPrefix) return 'watch';
  if ((method === 'GET' || method === 'HEAD') && name === '') return parameters.flag('watch') ? 'watch' : 'list';
  if (method === 'DELETE' && name === '' && subresource === '') return 'deletecollection';
  return verbsOfMethod[method] ?? '';
}

const ofCollection: Readonly<Record<string, Handler>> = {
  list: listObjects,
  watch: watchObjects,
  create: handleCreate,
  deletecollection: handleDeleteCollection,
};

const ofObject: Readonly<Record<string, Handler>> = {
  get: getObject,
  update: handleReplace,
  patch: handlePatch,
  delete: handleDelete,
  watch: watchObjects,
};

const ofSubresource: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  status: { get: getObject, update: handleReplace, patch: handlePatch },
  scale: { get: handleScale, update: handleScale, patch: handleScale },
  finalize: { update: handleReplace },
  approval: { get: getObject, update: handleReplace, patch: handlePatch },
  ephemeralcontainers: { get: getObject, update: handleReplace, patch: handlePatch },
  resize: { get: getObject, update: handleReplace, patch: handlePatch },
  log: { get: handleLog },
  eviction: { create: handleEviction },
  binding: { create: handleBinding },
  token: { create: handleToken },
  attach: { get: handleUnavailable, create: handleUnavailable },
  exec: { get: handleUnavailable, create: handleUnavailable },
  portforward: { get: handleUnavailable, create: handleUnavailable },
  proxy: {
    get: handleUnavailable,
    create: handleUnavailable,
    update: handleUnavailable,
    patch: handleUnavailable,
    delete: handleUnavailable,
  },
};

/** The verbs of each served subresource, for discovery. */
export const subresourceVerbs: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(ofSubresource).map(([name, handlers]) => [name, Object.keys(handlers).sort()]),
);

function handlerFor({ verb, method }: Exchange, { resource, namespace, name, subresource, watchPrefix }: ResourceTarget): Handler {
  // HEAD is authorized like GET, but served by proxies alone.
  const unserved = method === 'HEAD' && subresource !== 'proxy';
  if ((unserved && subresource === '') || (watchPrefix && method !== 'GET')) throw methodNotAllowed();
  if (subresource !== '') {
    const handlers = resource.subresources.has(subresource) ? ofSubresource[subresource] : undefined;
    if (handlers === undefined) throw resource.custom === undefined ? pathNotFound() : notFound(resource, name);
    const handler = handlers[verb];
    if (handler === undefined || unserved) throw methodNotAllowed();
    return handler;
  }
  const handler = (name === '' ? ofCollection : ofObject)[verb];
  const offered = resource.verbs as ReadonlySet<string>;
  const everyNamespace = name === '' && resource.namespaced && namespace === '';
  if (handler === undefined || !offered.has(verb) || (everyNamespace && verb !== 'list' && verb !== 'watch')) throw methodNotAllowed();
  if (resource.bucketId === '/bindings') return handleBinding;
  if (resource.bucketId === '/componentstatuses') return name === '' ? listComponents : getComponent;
  return isReview(resource) ? handleReview : handler;
}

/** Handles a request about objects. */
export async function handleResource(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const handler = handlerFor(exchange, target);
  const [wrong] = target.name === '' ? [] : nameProblems(target.name, 'path');
  if (wrong !== undefined) throw badRequest(`Name parameter invalid: ${JSON.stringify(target.name)}: ${wrong}`);
  const writes = exchange.verb !== 'get' && exchange.verb !== 'list' && exchange.verb !== 'watch';
  if (writes && target.resource.custom?.hasPatterns === true) await loadPatterns();
  if (writes && (target.resource.custom?.hasRules === true || hasExpressions.has(target.resource.bucketId))) await loadRules();
  if (target.resource.custom?.webhook !== undefined) await prepareConversion(cluster, exchange, target);
  const { deprecation } = target.resource;
  if (deprecation !== undefined) warn(exchange.response, [deprecation]);
  await handler(cluster, exchange, target);
}
