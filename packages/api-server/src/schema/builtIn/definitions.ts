import { asString, isJsonArray, valueAt, type JsonObject } from '../../json.js';
import { packedDefinitions } from './packedDefinitions.js';
import { unpack } from './unpack.js';

/** The definitions of an OpenAPI document, by name. */
export type Definitions = Readonly<Record<string, JsonObject>>;

let unpacked: Definitions | undefined;
let names: ReadonlyMap<string, string> | undefined;

/** The definitions of the built-in kinds. Unpacked at the first use. */
export function definitions(): Definitions {
  unpacked ??= unpack(packedDefinitions) as Definitions;
  return unpacked;
}

function namesByKind(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions())) {
    const kinds = definition['x-kubernetes-group-version-kind'];
    for (const one of isJsonArray(kinds) ? kinds : [])
      found.set(['group', 'version', 'kind'].map((part) => asString(valueAt(one, part))).join('/'), name);
  }
  return found;
}

/** The name of the definition of a kind; undefined when there is none. */
export function definitionName(group: string, version: string, kind: string): string | undefined {
  names ??= namesByKind();
  return names.get(`${group}/${version}/${kind}`);
}
