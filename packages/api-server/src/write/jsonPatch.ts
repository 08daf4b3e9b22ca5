import { asJsonObject, isJsonArray, isJsonObject, isEqualJson, jsonType, type Json, type JsonObject } from '../json.js';
import { badRequest, rejectedPatch, tooLarge } from '../status/statusErrors.js';

const maxOperations = 10_000;
/** The maximum number of characters of JSON that a patch can copy: copies of copies would grow exponentially. */
const maxCopied = 3 * 1024 * 1024;
/** The maximum number of items and names that all operations of a patch together can touch. */
const maxTouched = 20_000_000;

/** The remaining budget of a patch. */
class Budget {
  private copied = 0;
  private touched = 0;

  copy(value: Json): void {
    this.copied += JSON.stringify(value).length;
    if (this.copied > maxCopied) throw rejectedPatch();
  }

  touch(parent: Json): void {
    this.touched += isJsonArray(parent) ? parent.length : Object.keys(asJsonObject(parent)).length;
    if (this.touched > maxTouched) throw rejectedPatch();
  }
}

interface Operation {
  readonly op: string;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json | undefined;
}

function pointer(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string' || (value !== '' && !value.includes('/'))) throw rejectedPatch();
  return value
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const textParts = new Set(['op', 'path', 'from']);

/** Refuses the first operation that is no object, or whose `op`, `path` or `from` is not a string; if `lenient`, such a part is looked at later. */
function checkParts(patch: readonly Json[], lenient: boolean): void {
  const refuse = (value: Json, into: string): never => {
    throw badRequest(`error decoding patch: cannot decode ${jsonType(value)} as ${into}`);
  };
  for (const operation of patch) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) refuse(operation, 'an operation');
    for (const [name, value = null] of lenient ? [] : Object.entries(asJsonObject(operation)))
      if (textParts.has(name) && value !== null && typeof value !== 'string') refuse(value, `the text ${name}`);
  }
}

function operationOf(value: Json): Operation {
  if (!isJsonObject(value) || typeof value['op'] !== 'string' || typeof value['path'] !== 'string') throw rejectedPatch();
  if ((value['op'] === 'copy' || value['op'] === 'move') && typeof value['from'] !== 'string') throw rejectedPatch();
  return { op: value['op'], path: pointer(value['path']), from: pointer(value['from']), value: value['value'] };
}

function indexOf(part: string, last: number): number {
  const index = /^[-+]?\d+$/.test(part) ? Number(part) : NaN;
  // Below zero it counts from the end.
  const at = index < 0 ? index + last + 1 : index;
  if (!(at >= 0 && at <= last)) throw rejectedPatch();
  return at;
}

function child(parent: Json | undefined, part: string): Json | undefined {
  if (isJsonArray(parent)) return parent[indexOf(part, parent.length - 1)];
  if (isJsonObject(parent) && Object.hasOwn(parent, part)) return parent[part];
  return undefined;
}

function read(document: Json, path: readonly string[]): Json {
  let current: Json | undefined = document;
  for (const part of path) current = child(current, part);
  if (current === undefined) throw rejectedPatch();
  return current;
}

/** The document with the parent of a path replaced by the result of `change`. */
function changed(document: Json | undefined, path: readonly string[], budget: Budget, change: (parent: Json, part: string) => Json): Json {
  const [part, ...rest] = path;
  if (document === undefined || part === undefined) throw rejectedPatch();
  budget.touch(document);
  if (rest.length === 0) return change(document, part);
  const inner = changed(child(document, part), rest, budget, change);
  if (isJsonArray(document)) return document.with(indexOf(part, document.length - 1), inner);
  return { ...asJsonObject(document), [part]: inner };
}

function add(document: Json, path: readonly string[], value: Json, budget: Budget): Json {
  return changed(document, path, budget, (parent, part) => {
    if (isJsonArray(parent)) return parent.toSpliced(part === '-' ? parent.length : indexOf(part, parent.length), 0, value);
    if (!isJsonObject(parent)) throw rejectedPatch();
    return { ...parent, [part]: value };
  });
}

function remove(document: Json, path: readonly string[], budget: Budget): Json {
  return changed(document, path, budget, (parent, part) => {
    if (isJsonArray(parent)) return parent.toSpliced(indexOf(part, parent.length - 1), 1);
    if (!isJsonObject(parent) || !Object.hasOwn(parent, part)) throw rejectedPatch();
    const { [part]: _, ...rest } = parent;
    return rest;
  });
}

/** Replaces the value at a path; in an object it may be missing. No other operation takes the whole document. */
function replace(document: Json, path: readonly string[], value: Json, budget: Budget): Json {
  if (path.length === 0 && typeof value === 'object' && value !== null) return value;
  return changed(document, path, budget, (parent, part) => {
    if (isJsonArray(parent)) return parent.with(indexOf(part, parent.length - 1), value);
    if (!isJsonObject(parent)) throw rejectedPatch();
    return { ...parent, [part]: value };
  });
}

/** The value at a path; a missing name in an object counts as `null`. */
function valueOrNull(document: Json, path: readonly string[]): Json {
  const last = path.at(-1);
  const parent = read(document, path.slice(0, -1));
  if (last === undefined || typeof parent !== 'object' || parent === null) throw rejectedPatch();
  return child(parent, last) ?? null;
}

function test(document: Json, path: readonly string[], value: Json): Json {
  if (!isEqualJson(valueOrNull(document, path), value)) throw rejectedPatch();
  return document;
}

function apply(document: Json, { op, path, from, value }: Operation, budget: Budget): Json {
  switch (op) {
    case 'add':
      return add(document, path, value ?? null, budget);
    case 'remove':
      return remove(document, path, budget);
    case 'replace':
      return replace(document, path, value ?? null, budget);
    case 'move':
      return add(remove(document, from, budget), path, read(document, from), budget);
    case 'copy': {
      const copied = valueOrNull(document, from);
      budget.copy(copied);
      return add(document, path, copied, budget);
    }
    case 'test':
      return test(document, path, value ?? null);
    default:
      throw rejectedPatch();
  }
}

/**
 * Applies an RFC 6902 patch. The document is not modified. If `lenient`, operations are not read strictly.
 *
 * @throws StatusError 422 when an operation fails, 400 when the patch is not a list.
 */
export function applyJsonPatch(document: JsonObject, patch: Json, lenient = false): Json {
  if (patch === null) return document;
  if (!isJsonArray(patch)) throw badRequest(`error decoding patch: expected a list of operations, got ${jsonType(patch)}`);
  if (patch.length > maxOperations) {
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${String(maxOperations)}, got ${String(patch.length)}`);
  }
  checkParts(patch, lenient);
  const budget = new Budget();
  return patch.map(operationOf).reduce<Json>((current, operation) => apply(current, operation, budget), document);
}
