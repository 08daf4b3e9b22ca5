import { parseYaml } from '../http/parseYaml.js';
import { isJsonObject, jsonType, parseJson, type Json, type JsonObject } from '../json.js';
import { badRequest } from '../status/statusErrors.js';

/** JSON is a subset of YAML, and much faster to parse. */
function parse(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return parseYaml(text).value;
  }
}

/**
 * The configuration to apply, from a body.
 *
 * @throws StatusError 400 when it is not YAML, or not an object.
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
  const problem = `expected an object, got ${jsonType(applied)}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`);
}
