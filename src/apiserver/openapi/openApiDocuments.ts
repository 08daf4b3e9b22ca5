import { asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { definitionName, definitions } from '../schema/builtIn/definitions.js';
import { customDefinition, customDefinitionName } from './customDefinition.js';
import { openApiPaths } from './openApiPaths.js';

const security = { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' } };

function infoOf(gitVersion: string): JsonObject {
  return { title: 'Kubernetes', version: gitVersion };
}

function customDefinitions(resources: readonly ServedResource[]): JsonObject {
  return Object.fromEntries(
    resources.filter(({ custom }) => custom !== undefined).map((resource) => [customDefinitionName(resource), customDefinition(resource)]),
  );
}

/** The document of `/openapi/v2`: every kind that is served. */
export function openApiV2(kinds: KindRegistry, gitVersion: string): JsonObject {
  const resources = kinds.all();
  return {
    swagger: '2.0',
    info: infoOf(gitVersion),
    paths: Object.assign({}, ...resources.map(openApiPaths)) as JsonObject,
    definitions: { ...definitions(), ...customDefinitions(resources) },
    parameters: {},
    securityDefinitions: security,
    security: [{ BearerToken: [] }],
  };
}

/** The path of a group and version below `/openapi/v3`. */
function pathOf({ group, groupVersion }: ServedResource): string {
  return group === '' ? `api/${groupVersion}` : `apis/${groupVersion}`;
}

/** The document of `/openapi/v3`: where those of the groups and versions are. */
export function openApiV3Index(kinds: KindRegistry): JsonObject {
  const paths = [...new Set(kinds.all().map(pathOf))].sort();
  return {
    paths: Object.fromEntries(paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${String(kinds.generation)}` }])),
  };
}

const v2Prefix = '#/definitions/';

function withV3References(value: Json): Json {
  if (isJsonArray(value)) return value.map(withV3References);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string'
        ? inner.replace(v2Prefix, '#/components/schemas/')
        : inner === undefined
          ? inner
          : withV3References(inner),
    ]),
  );
}

/** Adds a definition and all that it refers to. */
function gather(name: string, all: Readonly<Record<string, JsonObject>>, found: Map<string, JsonObject>): void {
  const definition = all[name];
  if (definition === undefined || found.has(name)) return;
  found.set(name, definition);
  for (const [, reference = ''] of JSON.stringify(definition).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) gather(reference, all, found);
}

/** The document of one group and version, by its path; undefined when it is not served. */
export function openApiV3(kinds: KindRegistry, gitVersion: string, path: string): JsonObject | undefined {
  const resources = kinds.all().filter((resource) => pathOf(resource) === path);
  if (resources.length === 0) return undefined;
  const all = { ...definitions(), ...(customDefinitions(resources) as Record<string, JsonObject>) };
  const found = new Map<string, JsonObject>();
  for (const resource of resources) {
    const { group, version, kind, custom } = resource;
    const name = custom === undefined ? definitionName(group, version, kind) : customDefinitionName(resource);
    if (name !== undefined) gather(name, all, found);
  }
  return {
    openapi: '3.0.0',
    info: infoOf(gitVersion),
    paths: v3Paths(Object.assign({}, ...resources.map(openApiPaths)) as JsonObject),
    components: { schemas: withV3References(Object.fromEntries(found)) },
  };
}

/** In version 3 the type of a parameter stands in its schema. */
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
