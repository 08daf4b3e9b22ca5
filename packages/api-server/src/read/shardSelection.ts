import { Fnv1a64 } from 'rx-informer/internal';
import type { QueryParameters } from '../http/queryParameters.js';
import { badRequest } from '../status/statusErrors.js';
import type { StoredObject } from '../store/storedObject.js';
import type { ListSelection } from './selection.js';

interface HashRange {
  readonly field: 'uid' | 'namespace';
  readonly start: bigint;
  readonly end: bigint;
}

const rangeForm = /^shardRange\(object\.metadata\.(uid|namespace),\s*'0x([0-9a-f]{16})',\s*'0x([0-9a-f]{16}|10000000000000000)'\)$/;

function parseRange(text: string): HashRange {
  const [, field, start = '', end = ''] = rangeForm.exec(text.trim()) ?? [];
  if (field === undefined) throw badRequest(`invalid shardSelector: '${text}'`);
  const range = { field: field as HashRange['field'], start: BigInt(`0x${start}`), end: BigInt(`0x${end}`) };
  if (range.start >= range.end) throw badRequest(`invalid shardSelector: '${text}' is empty`);
  return range;
}

function parseRanges(text: string): readonly HashRange[] {
  const ranges = text.split('||').map(parseRange);
  if (new Set(ranges.map(({ field }) => field)).size > 1) throw badRequest(`invalid shardSelector: '${text}' has several fields`);
  return ranges;
}

function hashOf({ head, namespace }: StoredObject, field: HashRange['field']): bigint {
  return BigInt(`0x${String(new Fnv1a64().pushText(field === 'uid' ? head.uid : namespace))}`);
}

/**
 * The selection restricted by the parameter `shardSelector` (KEP-5866). Without the feature gate, the parameter is ignored.
 *
 * @throws StatusError 400 for an invalid selector.
 */
export function shardOf(selection: ListSelection, query: QueryParameters, isGateOn: boolean): ListSelection {
  const text = query.text('shardSelector');
  if (!isGateOn || text === '') return selection;
  const ranges = parseRanges(text);
  const [{ field }] = ranges as readonly [HashRange];
  const holds = (object: StoredObject): boolean => {
    const hash = hashOf(object, field);
    return ranges.some(({ start, end }) => hash >= start && hash < end);
  };
  return { ...selection, filtered: true, shardSelector: text, matches: (object) => selection.matches(object) && holds(object) };
}
