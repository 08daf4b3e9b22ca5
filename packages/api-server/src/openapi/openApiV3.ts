import { asString, isJsonArray, isJsonObject, valueAt, without, type Json, type JsonObject } from '../json.js';
import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { definitionName, definitions } from '../schema/builtIn/definitions.js';
import { customDefinitionName, customDefinitions } from './customDefinitions.js';
import { describedDefinitions } from './objectMetaDescriptions.js';
import { openApiPaths } from './openApiPaths.js';

/** The path of a group and version below `/openapi/v3`. */
function pathOf({ group, groupVersion }: ServedResource): string {
  return group === '' ? `api/${groupVersion}` : `apis/${groupVersion}`;
}

/** An answer that is not about objects: what it says, its operation, and its definition; without one for those that are no objects of Kubernetes. */
type OtherAnswer = readonly [description: string, operationId: string, definition?: string];

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const [json, protobuf, yaml] = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
const versions = 'get available API versions';
const others: Readonly<Record<string, OtherAnswer>> = {
  api: [versions, 'getCoreAPIVersions', `${meta}.APIVersions`],
  apis: [versions, 'getAPIVersions', `${meta}.APIGroupList`],
  version: ['get the version information for this server', 'getCodeVersion', 'io.k8s.apimachinery.pkg.version.Info'],
  '.well-known/openid-configuration': [
    "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
    'getServiceAccountIssuerOpenIDConfiguration',
  ],
  'openid/v1/jwks': [
    'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
    'getServiceAccountIssuerOpenIDKeyset',
  ],
};

/** The answers of discovery and the like, which have documents of their own, by their paths. */
function otherAnswers(kinds: KindRegistry): Readonly<Record<string, OtherAnswer>> {
  const groups = new Set(kinds.all().flatMap(({ group, custom }) => (group === '' || custom !== undefined ? [] : [group])));
  const ofGroup = (group: string): OtherAnswer => {
    const name = group.replace(/\.k8s\.io$/, '').replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return ['get information of a group', `get${name}APIGroup`, `${meta}.APIGroup`];
  };
  return { ...others, ...Object.fromEntries([...groups].map((group) => [`apis/${group}`, ofGroup(group)])) };
}

function otherDocument(path: string, [description, operationId, definition]: OtherAnswer, info: JsonObject): JsonObject {
  const types = definition?.startsWith(meta) === true ? [json, protobuf, yaml] : [json];
  const schema = definition === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${definition}` };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const get = { description, operationId, responses: { 200: { description: 'OK', content }, 401: { description: 'Unauthorized' } } };
  const found = new Map<string, JsonObject>();
  if (definition !== undefined) gather(definition, describedDefinitions(definitions()), found);
  const schemas = withV3References(Object.fromEntries(found));
  return { openapi: '3.0.0', info, paths: { [`/${path}/`]: { get } }, components: { schemas } };
}

/** The document of `/openapi/v3`: the URLs of the documents of groups and versions, and of other answers. */
export function openApiV3Index(kinds: KindRegistry): JsonObject {
  const paths = [...new Set([...kinds.all().map(pathOf), ...Object.keys(otherAnswers(kinds))])].sort();
  return {
    paths: Object.fromEntries(paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${String(kinds.generation)}` }])),
  };
}

const v2Prefix = '#/definitions/';

/** A schema with references of version 3: a `$ref` with other keywords beside it becomes an `allOf`. */
function withV3References(value: Json): Json {
  if (isJsonArray(value)) return value.map(withV3References);
  if (!isJsonObject(value)) return value;
  const { $ref } = value;
  const rest = Object.fromEntries(
    Object.entries($ref === undefined ? value : without(value, '$ref')).map(([name, inner]) => [
      name,
      inner === undefined ? inner : withV3References(inner),
    ]),
  );
  if (typeof $ref !== 'string') return rest;
  const reference = { $ref: $ref.replace(v2Prefix, '#/components/schemas/') };
  return Object.keys(rest).length === 0 ? reference : { ...rest, allOf: [reference] };
}

/** Adds a definition and everything that it refers to. */
function gather(name: string, all: Readonly<Record<string, JsonObject>>, found: Map<string, JsonObject>): void {
  const definition = all[name];
  if (definition === undefined || found.has(name)) return;
  found.set(name, definition);
  for (const [, reference = ''] of JSON.stringify(definition).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) gather(reference, all, found);
}

/** The document of one group and version, by its path; undefined when it is not served. */
export function openApiV3(kinds: KindRegistry, info: JsonObject, path: string): JsonObject | undefined {
  const resources = kinds.all().filter((resource) => pathOf(resource) === path);
  if (resources.length === 0) {
    const other = otherAnswers(kinds)[path];
    return other === undefined ? undefined : otherDocument(path, other, info);
  }
  const all: Record<string, JsonObject> = { ...describedDefinitions(definitions()) };
  for (const resource of resources) if (resource.custom !== undefined) Object.assign(all, customDefinitions(resource, 'v3'));
  const found = new Map<string, JsonObject>();
  for (const resource of resources) {
    const { group, version, kind, listKind, custom } = resource;
    const own = (ofKind: string): string | undefined =>
      custom === undefined ? definitionName(group, version, ofKind) : customDefinitionName(resource, ofKind);
    for (const name of [own(kind), own(listKind)]) if (name !== undefined) gather(name, all, found);
  }
  return {
    openapi: '3.0.0',
    info,
    paths: v3Paths(Object.assign({}, ...resources.map(openApiPaths)) as JsonObject),
    components: { schemas: withV3References(Object.fromEntries(found)) },
  };
}

/** In version 3, the type of a parameter is part of its schema. */
function v3Paths(paths: JsonObject): JsonObject {
  const parameter = (one: Json): JsonObject => ({
    name: asString(valueAt(one, 'name')),
    in: 'query',
    schema: { type: asString(valueAt(one, 'type')) },
  });
  const operation = (one: Json | undefined): Json => {
    const parameters = valueAt(one, 'parameters');
    return { ...(isJsonObject(one) ? one : {}), ...(isJsonArray(parameters) && { parameters: parameters.map(parameter) }) };
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(isJsonObject(item) ? item : {}).map(([method, one]) => [method, operation(one)])),
    ]),
  );
}
