import { parseYaml } from '../http/parseYaml.js';
import { isJsonArray, isJsonObject, parseJson, type Json, type JsonObject } from '../json.js';
import { badRequest } from '../status/statusErrors.js';

/** JSON is YAML too, and much faster to read. */
function parse(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return parseYaml(text).value;
  }
}

/**
 * The configuration that a body holds, which is to be applied.
 *
 * @throws StatusError 400 when it is no YAML, or no object.
 */
export function parseApplied(body: Buffer): JsonObject {
  let applied: Json;
  try {
    applied = parse(body.toString());
  } catch (error) {
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${problem}`);
  }
  if (applied === null) return {};
  if (isJsonObject(applied)) return applied;
  const type = isJsonArray(applied) ? 'array' : typeof applied;
  const problem = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`);
}
