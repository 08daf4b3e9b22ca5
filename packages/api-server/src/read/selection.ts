import { type FieldRequirement } from 'rx-informer/internal';
import { type LabelSelector, parseLabelSelector } from 'rx-informer/pipeline';
import type { QueryParameters } from '../http/queryParameters.js';
import type { ResourceTarget } from '../http/routePath.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest } from '../status/statusErrors.js';
import type { StoredContent, StoredMeta, StoredObject } from '../store/storedObject.js';

/** The objects that a list or watch selects. */
export interface ListSelection {
  /** Only keys from `from` up to, but not including, `to` can match; without `to` there is no end. */
  readonly from: string;
  readonly to: string | undefined;
  /** The prefix that is omitted from keys in continue tokens. */
  readonly prefix: string;
  /** Whether there are label or field selectors; a namespace alone does not count. */
  readonly filtered: boolean;
  /** The selected ranges of hashes, as written in the request. */
  readonly shardSelector?: string;
  matches(object: StoredObject): boolean;
}

type FieldReader = (object: StoredObject) => string;

const commonFields: Readonly<Record<string, FieldReader>> = {
  'metadata.name': ({ name }) => name,
  'metadata.namespace': ({ namespace }) => namespace,
};

type ContentReader = (content: StoredContent) => string;

const readFields = new WeakMap<StoredObject, WeakMap<ContentReader, string>>();

/** Caches a field for each version of an object, since reading it may require parsing the content. A changed definition has other fields. */
function remembering(field: ContentReader, read: ContentReader): FieldReader {
  return (object) => {
    const known = readFields.get(object) ?? new WeakMap<ContentReader, string>();
    let value = known.get(field);
    if (value === undefined) {
      value = read(object.content);
      readFields.set(object, known.set(field, value));
    }
    return value;
  };
}

function parseLabels(text: string): LabelSelector | undefined {
  if (text.trim() === '') return undefined;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The conditions of a field selector, ordered by their texts: the first of several mistakes is named. Other than for `parseFieldSelector`, a backslash in the name of
 * a field escapes nothing, and the name may be empty: such fields are unknown ones.
 */
function parseFields(text: string): readonly FieldRequirement[] {
  return (text.match(/(?:\\[^]|[^\\,]|\\$)+/g) ?? []).sort().map((term) => {
    const [, field, operator, value = ''] = /^([^]*?)(!=|==|=)([^]*)$/.exec(term) ?? [];
    if (field === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    // A backslash escapes a comma, an equals sign or itself.
    const bad = (value.match(/\\[^]?|=/g) ?? []).find((mark) => !/^\\[\\,=]$/.test(mark));
    if (bad !== undefined) throw badRequest(`invalid field selector: '${bad}' must be escaped or escapes nothing`);
    return { field, operator: operator === '!=' ? '!=' : '=', value: value.replace(/\\([^])/g, '$1') };
  });
}

function fieldReader({ rules, kind, groupVersion, namespaced, custom, conversion }: ServedResource, field: string): FieldReader {
  const { fields = {}, unknownField } = rules;
  // Kinds with words of their own for unknown fields have no namespace where they are in none.
  const placeless = field === 'metadata.namespace' && !namespaced && unknownField !== 'listed';
  const common = Object.hasOwn(commonFields, field) && !placeless ? commonFields[field] : undefined;
  if (common !== undefined) return common;
  const own = Object.hasOwn(fields, field) ? fields[field] : undefined;
  // Of a custom resource each version declares its own.
  const read = own && custom && conversion ? (content: StoredContent) => own(conversion.fromStored(content)) : own;
  if (own && read) return conversion?.varies === true ? ({ content }) => read(content) : remembering(own, read);
  if (unknownField === 'ofKind') throw badRequest(`field label ${JSON.stringify(field)} not supported for ${kind}`);
  if (unknownField === 'ofVersion') throw badRequest(`field label not supported for ${groupVersion}, Kind=${kind}: ${field}`);
  if (unknownField === 'plain') throw badRequest(`field label not supported: ${field}`);
  const known = [...Object.keys(commonFields), ...Object.keys(fields)].map((name) => JSON.stringify(name));
  throw badRequest(`${JSON.stringify(field)} is not a known field selector: only ${known.join(', ')}`);
}

interface KeyRange {
  readonly from: string;
  readonly to: string | undefined;
}

// '0' is the character after '/': the end of the keys with this prefix.
function rangeOf(namespace: string, name: string | undefined, namespaced: boolean): KeyRange {
  if (name !== undefined && (namespace !== '' || !namespaced)) {
    const key = namespaced ? `${namespace}/${name}` : name;
    return { from: key, to: `${key}\0` };
  }
  return namespace === '' ? { from: '', to: undefined } : { from: `${namespace}/`, to: `${namespace}0` };
}

/**
 * Reads the selectors of a list, a watch or a delete of a collection; `check` looks at the other parameters, once all can be read.
 *
 * @throws StatusError 400 for an invalid selector, or a field that is not selectable.
 */
export function selectionOf(
  { resource, namespace, name }: Pick<ResourceTarget, 'resource' | 'namespace' | 'name'>,
  query: QueryParameters,
  check: () => void,
): ListSelection {
  query.integer('timeoutSeconds');
  query.integer('limit');
  const labels = parseLabels(query.text('labelSelector'));
  const requirements = parseFields(query.text('fieldSelector'));
  check();
  const conditions = requirements.map(({ field, operator, value }) => {
    const read = fieldReader(resource, field);
    return (object: StoredObject) => (read(object) === value) === (operator === '=');
  });
  const { conversion } = resource;
  const metaOf = (object: StoredObject): Pick<StoredMeta, 'labels'> =>
    conversion?.varies === true ? conversion.fromStored(object.content).metadata : object.head;
  const named = name !== '' ? name : requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value;
  return {
    ...rangeOf(namespace, named, resource.namespaced),
    prefix: namespace === '' ? '' : `${namespace}/`,
    filtered: labels !== undefined || conditions.length > 0,
    matches: (object) =>
      (name === '' || object.name === name) &&
      (labels === undefined || labels.matches(metaOf(object).labels)) &&
      conditions.every((holds) => holds(object)),
  };
}

/** Whether an object is in the selected range of keys and matches the selectors. */
export function selects(selection: ListSelection, object: StoredObject): boolean {
  if (object.key < selection.from || (selection.to !== undefined && object.key >= selection.to)) return false;
  return selection.matches(object);
}
