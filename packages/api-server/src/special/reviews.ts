import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { type User, userInfo } from '../auth/user.js';
import { missingRoles, rulesFor } from '../auth/roleAccess.js';
import { timestamp } from '../clock.js';
import { asJsonObject, asString, isJsonArray, listAt, textAt, textsAt, valueAt, without, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { withManagers } from '../apply/withManagers.js';
import type { StoredContent } from '../store/storedObject.js';
import { writeOptionsOf } from '../write/writeOptions.js';
import { submittedObject } from '../write/submittedObject.js';
import { isFilled } from '../validation/fieldChecks.js';
import { labelSelectorErrors } from '../validation/selectorErrors.js';
import { badRequest, invalid, invalidValue, required, type FieldError } from '../status/statusErrors.js';

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

function accessStatus({ access }: Cluster, user: User, spec: JsonObject): JsonObject {
  const { verb, group, resource, subresource, namespace, name } = asJsonObject(spec['resourceAttributes']);
  const other = asJsonObject(spec['nonResourceAttributes']);
  const { allowed, reason } = access.decide(user, {
    verb: asString(verb) || asString(other['verb']),
    group: asString(group),
    resource: asString(resource),
    subresource: asString(subresource),
    namespace: asString(namespace),
    name: asString(name),
    path: asString(other['path']),
  });
  return { allowed, ...(reason !== '' && { reason }) };
}

function namedUser(spec: JsonObject): User {
  return { name: textAt(spec, 'user'), groups: textsAt(spec, 'groups') };
}

function tokenStatus({ access }: Cluster, spec: JsonObject): JsonObject {
  const token = asString(spec['token']);
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const user = access.tokens.get(token);
  if (user === undefined) return { user: {}, error: 'invalid bearer token' };
  // A token with audiences is valid for these only; any other token is valid for the server.
  const own = audiencesOf(token) ?? ['api'];
  const asked = textsAt(spec, 'audiences');
  const common = asked.length === 0 ? own : asked.filter((audience) => own.includes(audience));
  if (common.length > 0) return { authenticated: true, user: userInfo(user), audiences: common };
  const lists = [own, asked].map((audiences) => `[${audiences.map((one) => JSON.stringify(one)).join(' ')}]`);
  return {
    user: {},
    error: `[invalid bearer token, token audiences ${lists[0] ?? ''} is invalid for the target audiences ${lists[1] ?? ''}]`,
  };
}

/** The audiences of a token issued by this server; undefined for any other token. */
function audiencesOf(token: string): readonly string[] | undefined {
  const [, claims] = token.split('.');
  try {
    const { aud } = asJsonObject(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as Json);
    return isJsonArray(aud) ? aud.map(asString) : undefined;
  } catch {
    return undefined;
  }
}

/** An access review asks about a resource or about a path, not both. */
function checkQuestion(plural: string, namespace: string, object: JsonObject): void {
  if (!/accessreviews$/.test(plural)) return;
  const { user, groups, resourceAttributes, nonResourceAttributes } = asJsonObject(object['spec']);
  const isLocal = plural.startsWith('local');
  const metadata = without(asJsonObject(object['metadata']), 'uid', 'managedFields');
  const own = asString(metadata['namespace']);
  if (isLocal && own !== '' && own !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const errors: FieldError[] = [];
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined))
    errors.push(questionError(resourceAttributes, nonResourceAttributes));
  if (!plural.startsWith('self') && asString(user) === '' && listAt(groups).length === 0)
    errors.push(invalidValue('spec.user', '""', 'at least one of user or group must be specified'));
  const asked = asString(valueAt(resourceAttributes, 'namespace'));
  const named = without(metadata, 'namespace');
  if (Object.keys(named).length > 0) {
    const shown = JSON.stringify(isLocal ? { name: '', ...named, namespace } : named);
    errors.push(invalidValue('metadata', shown, isLocal ? 'must be empty except for namespace' : 'must be empty'));
  }
  for (const name of ['fieldSelector', 'labelSelector'])
    errors.push(...selectorErrors(asJsonObject(resourceAttributes)[name], `spec.resourceAttributes.${name}`));
  if (isLocal && resourceAttributes !== undefined && asked !== namespace)
    errors.push(invalidValue('spec.resourceAttributes.namespace', JSON.stringify(asked), 'must match metadata.namespace'));
  if (isLocal && nonResourceAttributes !== undefined) {
    const { path = '', verb = '' } = asJsonObject(nonResourceAttributes);
    errors.push(
      invalidValue('spec.nonResourceAttributes', JSON.stringify({ Path: path, Verb: verb }), 'disallowed on this kind of request'),
    );
  }
  if (errors.length > 0) throw invalid('', 'authorization.k8s.io', '', errors);
}

/** Validation errors of the selectors in an access review. Unknown operators are accepted: they may be those of a newer server. */
function* selectorErrors(value: Json | undefined, path: string): Generator<FieldError, void, undefined> {
  if (value === undefined) return;
  const { rawSelector, requirements } = asJsonObject(value);
  const [raw, listed] = [asString(rawSelector), isFilled(requirements)];
  if (raw !== '' && listed)
    yield invalidValue(`${path}.rawSelector`, JSON.stringify(raw), 'may not specified at the same time as requirements');
  if (raw === '' && !listed) yield required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`);
  if (!path.endsWith('labelSelector')) return;
  for (const error of labelSelectorErrors({ matchExpressions: requirements ?? [] }, path))
    if (!error.message.endsWith('not a valid selector operator'))
      yield { ...error, field: error.field.replace('.matchExpressions', '.requirements') };
}

function questionError(resourceAttributes: Json | undefined, nonResourceAttributes: Json | undefined): FieldError {
  if (resourceAttributes !== undefined) {
    const { path = '', verb = '' } = asJsonObject(nonResourceAttributes);
    const shown = JSON.stringify({ Path: path, Verb: verb });
    return invalidValue('spec.nonResourceAttributes', shown, 'cannot be specified in combination with resourceAttributes');
  }
  const problem = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return invalidValue('spec.resourceAttributes', 'null', problem);
}

function rulesStatus({ access, store }: Cluster, user: User, spec: JsonObject): JsonObject {
  const namespace = asString(spec['namespace']);
  if (namespace === '') throw badRequest('no namespace on request');
  const all = { resourceRules: [everything], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }], incomplete: false };
  if (!access.byRoles || user.groups.includes('system:masters')) return all;
  const rules = rulesFor(store, user, namespace);
  const ofPaths = (rule: JsonObject): boolean => rule['nonResourceURLs'] !== undefined;
  const missing = missingRoles(store, user, namespace);
  return {
    resourceRules: rules.filter((rule) => !ofPaths(rule)),
    nonResourceRules: rules.filter(ofPaths),
    incomplete: false,
    ...(missing !== '' && { evaluationError: missing }),
  };
}

type ReviewStatus = (cluster: Cluster, user: User, spec: JsonObject) => JsonObject;

const statuses: Readonly<Record<string, ReviewStatus>> = {
  selfsubjectaccessreviews: accessStatus,
  subjectaccessreviews: (cluster, _, spec) => accessStatus(cluster, namedUser(spec), spec),
  localsubjectaccessreviews: (cluster, _, spec) => accessStatus(cluster, namedUser(spec), spec),
  selfsubjectrulesreviews: rulesStatus,
  selfsubjectreviews: (_, user) => ({ userInfo: userInfo(user) }),
  tokenreviews: (cluster, _, spec) => tokenStatus(cluster, spec),
};

/** Whether a resource is a review: answered by the server, and not stored. */
export function isReview({ group, plural }: ServedResource): boolean {
  return /^auth(orization|entication)\.k8s\.io$/.test(group) && Object.hasOwn(statuses, plural);
}

/** The managed fields of a review. */
function managedFieldsOf(cluster: Cluster, exchange: Exchange, resource: ServedResource, object: JsonObject): JsonObject {
  const after = { ...object, metadata: asJsonObject(object['metadata']) } as unknown as StoredContent;
  const write = { resource, before: undefined, after, sent: undefined, subresource: '' };
  const { managedFields } = withManagers(cluster, write, writeOptionsOf('CreateOptions', exchange)).metadata;
  return managedFields === undefined ? {} : { managedFields };
}

/** Answers a review. */
export async function handleReview(cluster: Cluster, exchange: Exchange, { resource, namespace }: ResourceTarget): Promise<void> {
  exchange.negotiate({ yaml: true, converts: () => false });
  const object = submittedObject(cluster, exchange, resource, await readBody(exchange.incoming));
  const { kind, groupVersion: apiVersion, plural } = resource;
  checkQuestion(plural, namespace, object);
  await exchange.sendObject(201, {
    kind,
    apiVersion,
    metadata: {
      ...(plural === 'selfsubjectreviews'
        ? { creationTimestamp: timestamp(cluster.clock.now()) }
        : plural === 'selfsubjectrulesreviews'
          ? {}
          : { ...without(asJsonObject(object['metadata']), 'managedFields'), ...managedFieldsOf(cluster, exchange, resource, object) }),
    },
    ...without(object, 'kind', 'apiVersion', 'metadata', 'status'),
    ...(plural === 'selfsubjectrulesreviews' && { spec: {} }),
    status: statuses[plural]?.(cluster, exchange.user, asJsonObject(object['spec'])),
  });
}
