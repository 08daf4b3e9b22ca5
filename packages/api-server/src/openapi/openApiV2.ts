import type { JsonObject } from '../json.js';
import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { definitions } from '../schema/builtIn/definitions.js';
import { customDefinitions } from './customDefinitions.js';
import { describedDefinitions } from './objectMetaDescriptions.js';
import { openApiPaths } from './openApiPaths.js';
import { definitionFields, pathFields, wholeMessage } from './openApiProtobuf.js';

/** How a document is assembled; the part of each resource is encoded once. */
interface Form {
  readonly paths: (paths: JsonObject) => Buffer;
  readonly definitions: (definitions: JsonObject) => Buffer;
  readonly whole: (info: JsonObject, paths: readonly Buffer[], definitions: readonly Buffer[]) => Buffer;
}

const security = { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' } };

/** The members of an object, without its braces. */
function members(object: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(object).slice(1, -1));
}

/** The encoded members, separated by commas. */
function joined(parts: readonly Buffer[]): readonly Buffer[] {
  const comma = Buffer.from(',');
  return parts.filter(({ length }) => length > 0).flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
}

const json: Form = {
  paths: members,
  definitions: members,
  whole: (info, paths, named) =>
    Buffer.concat([
      Buffer.from(`{"swagger":"2.0","info":${JSON.stringify(info)},"paths":{`),
      ...joined(paths),
      Buffer.from('},"definitions":{'),
      ...joined(named),
      Buffer.from(`},"parameters":{},"securityDefinitions":${JSON.stringify(security)},"security":[{"BearerToken":[]}]}`),
    ]),
};

const protobuf: Form = { paths: pathFields, definitions: definitionFields, whole: wholeMessage };

interface Part {
  readonly paths: Buffer;
  readonly definitions: Buffer;
}

/** The encoded parts of resources, cached per resource. */
const parts = new Map<Form, WeakMap<ServedResource, Part>>([
  [json, new WeakMap()],
  [protobuf, new WeakMap()],
]);
const builtIn = new Map<Form, Buffer>();

function partOf(resource: ServedResource, form: Form): Part {
  const known = parts.get(form)?.get(resource);
  if (known !== undefined) return known;
  const part = {
    paths: form.paths(openApiPaths(resource)),
    definitions: form.definitions(resource.custom === undefined ? {} : customDefinitions(resource, 'v2')),
  };
  parts.get(form)?.set(resource, part);
  return part;
}

/** The document of `/openapi/v2` with all served kinds, in JSON or in the protobuf form that Go clients request. */
export function openApiV2(kinds: KindRegistry, info: JsonObject, inProtobuf: boolean): Buffer {
  const form = inProtobuf ? protobuf : json;
  const common = builtIn.get(form) ?? form.definitions(describedDefinitions(definitions()));
  builtIn.set(form, common);
  const all = kinds.all().map((resource) => partOf(resource, form));
  return form.whole(
    info,
    all.map(({ paths }) => paths),
    [common, ...all.map((part) => part.definitions)],
  );
}
