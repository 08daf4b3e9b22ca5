import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { without, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { decodeObject } from '../write/decodeObject.js';

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

// The status of each review: everybody may do everything here.
const statuses: Readonly<Record<string, JsonObject>> = {
  selfsubjectaccessreviews: { allowed: true },
  subjectaccessreviews: { allowed: true },
  localsubjectaccessreviews: { allowed: true },
  selfsubjectrulesreviews: { resourceRules: [everything], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }], incomplete: false },
  selfsubjectreviews: { userInfo: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] } },
  tokenreviews: { authenticated: true, user: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] } },
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
  await exchange.sendObject(201, {
    kind,
    apiVersion,
    metadata: object['metadata'] ?? {},
    ...without(object, 'kind', 'apiVersion', 'metadata', 'status'),
    status: statuses[plural],
  });
}
