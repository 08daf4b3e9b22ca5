import type { JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';

/** Query parameters whose presence clients check before they use them. */
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'];
const patchParameters = [...writeParameters, 'force'];

const methods: readonly (readonly [verb: string, method: string, action: string, one: boolean])[] = [
  ['list', 'get', 'list', false],
  ['create', 'post', 'post', false],
  ['deletecollection', 'delete', 'deletecollection', false],
  ['get', 'get', 'get', true],
  ['update', 'put', 'put', true],
  ['patch', 'patch', 'patch', true],
  ['delete', 'delete', 'delete', true],
];

function parametersOf(verb: string): readonly string[] {
  if (verb === 'patch') return patchParameters;
  if (verb === 'create' || verb === 'update') return writeParameters;
  return verb === 'delete' || verb === 'deletecollection' ? ['dryRun'] : [];
}

function operation({ group, version, kind, plural }: ServedResource, verb: string, action: string): JsonObject {
  const parameters = parametersOf(verb).map((name) => ({
    in: 'query',
    name,
    type: name === 'force' ? 'boolean' : 'string',
    uniqueItems: true,
  }));
  return {
    operationId: `${verb}${kind}${version}${group === '' ? '' : group.replaceAll(/[^A-Za-z0-9]/g, '')}${plural}`,
    ...(parameters.length > 0 && { parameters }),
    responses: { 200: { description: 'OK' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, kind, version },
  };
}

/** The paths of a resource with their operations. */
export function openApiPaths(resource: ServedResource): JsonObject {
  const { group, version, plural, namespaced, verbs } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const [verb, method, action, one] of methods) {
    if (!(verbs as ReadonlySet<string>).has(verb)) continue;
    const path = one ? `${collection}/{name}` : collection;
    paths[path] = { ...paths[path], [method]: operation(resource, verb, action) };
  }
  return paths;
}
