import { timestamp } from '../clock.js';
import type { Cluster } from '../cluster.js';
import { valueAt, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { shapeOf } from '../kinds/shapeOf.js';
import type { StoredContent } from '../store/storedObject.js';
import { compareFields, type Comparison } from './compareFields.js';
import { FieldSet } from './fieldSet.js';
import { managerKey, isReset, readManagers, timeOf, type Manager, type Managers } from './managedFields.js';
import { emptyOf, ownable, unmanaged } from './ownedFields.js';

/** The manager of a write, and the subresource that it used. */
export interface Writer {
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
}

/** The managers before a write: the ones that the client sent, else the ones of the object. */
export function managersBefore(
  { custom }: Pick<ServedResource, 'custom'>,
  before: StoredContent | undefined,
  sent: readonly Json[] | undefined,
  { subresource }: Writer,
): Managers {
  const known = readManagers(before?.metadata['managedFields']) ?? new Map<string, Manager>();
  if (sent === undefined || subresource !== '') return known;
  // An empty list removes them from built-in kinds alone.
  if (isReset(sent) || (sent.length === 0 && custom === undefined)) return new Map();
  const claimed = readManagers(sent);
  return claimed === undefined || claimed.size === 0 ? known : claimed;
}

/** The managers that still own fields after a write; the writer can be left out. */
export function managersAfter(managers: Managers, { changed, removed }: Comparison, writer = ''): Map<string, Manager> {
  const left = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    if (id === writer) continue;
    const fields = manager.fields.difference(changed).difference(removed);
    if (!fields.isEmpty) left.set(id, fields === manager.fields ? manager : { ...manager, fields });
  }
  return left;
}

/** The difference made by a write, without fields that cannot be owned. */
export function differenceOf(resource: ServedResource, before: JsonObject | undefined, after: JsonObject, subresource: string): Comparison {
  // managedFields itself has no owner: exclude it, unless it is unchanged.
  const same = before !== undefined && valueAt(before, 'metadata', 'managedFields') === valueAt(after, 'metadata', 'managedFields');
  const [was, is] = same || before === undefined ? [before, same ? after : unmanaged(after)] : [unmanaged(before), unmanaged(after)];
  const { changed, removed } = compareFields(was ?? emptyOf(resource), is, shapeOf(resource));
  return { changed: ownable(changed, resource, subresource), removed: ownable(removed, resource, subresource) };
}

/** Returns `known` if nothing has changed, so that caches keyed by it still hit. */
function knownOr(known: Managers, now: Managers): Managers {
  return now.size === known.size && [...now].every(([id, manager]) => known.get(id) === manager) ? known : now;
}

/** The managers after a write other than apply: the writer takes over all changed fields. */
export function trackWrite(
  { clock }: Pick<Cluster, 'clock'>,
  resource: ServedResource,
  managers: Managers,
  before: StoredContent | undefined,
  after: StoredContent,
  { name, subresource }: Writer,
): Managers {
  const { conversion } = resource;
  const [was, is] = conversion === undefined ? [before, after] : [before && conversion.fromStored(before), conversion.fromStored(after)];
  const difference = differenceOf(resource, was, is, subresource);
  if (difference.changed.isEmpty) return knownOr(managers, managersAfter(managers, difference));
  const writer = { name, operation: 'Update', apiVersion: resource.groupVersion, subresource } as const;
  const id = managerKey(writer);
  const left = managersAfter(managers, difference, id);
  // The writer keeps the fields that it owned before.
  const owner = managers.get(id);
  const fields = (owner?.fields ?? FieldSet.empty).difference(difference.removed).union(difference.changed);
  const time = timeOf(subresource, timestamp(clock.now()));
  left.set(id, owner?.fields === fields && owner.time === time ? owner : { ...writer, time, fields });
  return knownOr(managers, left);
}
