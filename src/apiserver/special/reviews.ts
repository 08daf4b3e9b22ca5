import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import type { User } from '../auth/user.js';
import { asJsonObject, asString, isJsonArray, without, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { decodeObject } from '../write/decodeObject.js';
import { invalid, invalidValue } from '../status/statusErrors.js';

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

function accessStatus({ access }: Cluster, user: User, spec: JsonObject): JsonObject {
  const { verb, group, resource, subresource, namespace, name } = asJsonObject(spec['resourceAttributes']);
  const other = asJsonObject(spec['nonResourceAttributes']);
  const allowed = access.allows(user, {
    verb: asString(verb) || asString(other['verb']),
    group: asString(group),
    resource: asString(resource),
    subresource: asString(subresource),
    namespace: asString(namespace),
    name: asString(name),
    path: asString(other['path']),
  });
  return { allowed };
}

function namedUser(spec: JsonObject): User {
  const { user, groups } = spec;
  return { name: asString(user), groups: isJsonArray(groups) ? groups.map(asString) : [] };
}

function tokenStatus({ access }: Cluster, spec: JsonObject): JsonObject {
  const user = access.tokens.get(asString(spec['token']));
  return user === undefined ? { authenticated: false, user: {} } : { authenticated: true, user: userInfo(user), audiences: ['api'] };
}

/** A user as reviews show it. */
function userInfo({ name, uid, groups }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups };
}

/** Reviews of access ask for one thing: about resources, or about a path. */
function checkQuestion(plural: string, { resourceAttributes, nonResourceAttributes }: JsonObject): void {
  if (!/accessreviews$/.test(plural) || (resourceAttributes === undefined) !== (nonResourceAttributes === undefined)) return;
  const problem = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  throw invalid('', 'authorization.k8s.io', '', [invalidValue('spec.resourceAttributes', 'null', problem)]);
}

type ReviewStatus = (cluster: Cluster, user: User, spec: JsonObject) => JsonObject;

const statuses: Readonly<Record<string, ReviewStatus>> = {
  selfsubjectaccessreviews: accessStatus,
  subjectaccessreviews: (cluster, _, spec) => accessStatus(cluster, namedUser(spec), spec),
  localsubjectaccessreviews: (cluster, _, spec) => accessStatus(cluster, namedUser(spec), spec),
  selfsubjectrulesreviews: () => ({
    resourceRules: [everything],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
  selfsubjectreviews: (_, user) => ({ userInfo: userInfo(user) }),
  tokenreviews: (cluster, _, spec) => tokenStatus(cluster, spec),
};

/** Whether a resource is a question to the server rather than something that is stored. */
export function isReview({ group, plural }: ServedResource): boolean {
  return /^auth(orization|entication)\.k8s\.io$/.test(group) && Object.hasOwn(statuses, plural);
}

/** Answers a review. */
export async function handleReview(cluster: Cluster, exchange: Exchange, { resource }: ResourceTarget): Promise<void> {
  exchange.negotiate({ yaml: true, converts: () => false });
  const object = decodeObject(cluster, resource, exchange.incoming.headers['content-type'], await readBody(exchange.incoming));
  const { kind, groupVersion: apiVersion, plural } = resource;
  checkQuestion(plural, asJsonObject(object['spec']));
  await exchange.sendObject(201, {
    kind,
    apiVersion,
    metadata: object['metadata'] ?? {},
    ...without(object, 'kind', 'apiVersion', 'metadata', 'status'),
    status: statuses[plural]?.(cluster, exchange.user, asJsonObject(object['spec'])),
  });
}
