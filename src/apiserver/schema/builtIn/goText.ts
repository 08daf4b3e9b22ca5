import { asJsonObject, isJsonArray, isJsonObject, setField, valueAt, type Json, type JsonObject } from '../../json.js';
import { goStructs } from './goStructs.js';
import { unifiedDiff } from './unifiedDiff.js';

/** What the server of Kubernetes has at another place than its API. */
const moved: Readonly<Record<string, (value: JsonObject) => JsonObject>> = {
  // What pods share with their node is part of their security context.
  'core.PodSpec': (spec) => {
    const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
    const shared = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
    const result: Record<string, Json | undefined> = { ...asJsonObject(securityContext) };
    for (const [name, value] of Object.entries(shared)) if (value !== undefined) result[name] = value;
    return { ...spec, securityContext: result };
  },
};

const zeros: Readonly<Record<string, Json>> = { string: '', bool: false, number: 0, quantity: '0' };

function structOf(value: JsonObject, name: string, fields: Readonly<Record<string, string>>): JsonObject {
  const from = moved[name]?.(value) ?? value;
  const result: Record<string, Json> = {};
  for (const shown in fields) {
    const [served = '', form = ''] = fields[shown]?.split('|') ?? [];
    const isOptional = form.endsWith('?');
    const inner = valueAt(from, ...(served || shown).split('.'));
    if (!isOptional || (inner !== undefined && inner !== null)) result[shown] = goValue(inner, isOptional ? form.slice(0, -1) : form);
  }
  return result;
}

/** A value of the API as the server of Kubernetes holds it: with every field of its structs, in their order, under the names that they have in Go. */
export function goValue(value: Json | undefined, form: string): Json {
  if (form.startsWith('*')) return value === undefined || value === null ? null : goValue(value, form.slice(1));
  if (form.startsWith('[]')) return isJsonArray(value) ? value.map((item) => goValue(item, form.slice(2))) : null;
  if (form.startsWith('map ')) {
    if (!isJsonObject(value)) return null;
    const result: Record<string, Json> = {};
    for (const key of Object.keys(value).sort()) setField(result, key, goValue(value[key], form.slice(4)));
    return result;
  }
  const fields = goStructs().printed[form];
  if (fields !== undefined) return structOf(isJsonObject(value) ? value : {}, form, fields);
  return value ?? zeros[form] ?? null;
}

/** Text of JSON with the signs that Go escapes in it. */
export function goEscaped(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A value as messages show it: `form` names its struct in the server of Kubernetes, such as `core.PodSpec`. */
export function goText(value: Json | undefined, form: string): string {
  return goEscaped(JSON.stringify(goValue(value, form)));
}

/** What is different between two values, line by line. */
export function goDiff(before: Json | undefined, after: Json | undefined, form: string): string {
  const [old, now] = [before, after].map((value) => goEscaped(JSON.stringify(goValue(value, form), undefined, 1)).split('\n'));
  return unifiedDiff(old ?? [], now ?? []);
}

/** What `%s` of Go makes of a value that is no text. */
function goUnfit(value: Json | undefined): string {
  if (typeof value === 'number') return `%!s(${Number.isInteger(value) ? 'int64' : 'float64'}=${String(value)})`;
  return typeof value === 'boolean' ? `%!s(bool=${String(value)})` : '%!s(<nil>)';
}

/** A value of JSON as Go prints it with `%v`, or with the verb for texts, `%s`. */
export function goPrinted(value: Json | undefined, verb: 'v' | 's' = 'v'): string {
  if (isJsonArray(value)) return `[${value.map((item) => goPrinted(item, verb)).join(' ')}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort();
    return `map[${names.map((name) => `${name}:${goPrinted(value[name], verb)}`).join(' ')}]`;
  }
  if (typeof value === 'string') return value;
  if (verb === 's') return goUnfit(value);
  return value === undefined || value === null ? '<nil>' : String(value);
}
