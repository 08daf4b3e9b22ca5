import { timestamp } from '../clock.js';
import type { Cluster } from '../cluster.js';
import { asJsonObject, valueAt, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { shapeOf } from '../kinds/shapeOf.js';
import { applyConflict, type Conflict } from './applyConflict.js';
import { checkApplied } from './checkApplied.js';
import { FieldSet } from './fieldSet.js';
import { fieldsOf } from './fieldsOf.js';
import { fieldsOfLastApplied, withLastApplied } from './lastApplied.js';
import { managerKey, readManagers, timeOf, writeManagers, type Manager, type Managers } from './managedFields.js';
import { mergeApplied } from './mergeApplied.js';
import { ownable, unmanaged } from './ownedFields.js';
import { removeAbandoned } from './removeFields.js';
import { differenceOf, managersAfter } from './trackWrite.js';

/** A request to apply. */
export interface ApplyRequest {
  readonly resource: ServedResource;
  /** The object as the requested version shows it; undefined when it is to be created. */
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly manager: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** Takes over conflicting fields of other managers. */
  readonly force: boolean;
}

/** The managers of an object before an apply. If none are recorded, all fields that it can write belong to `before-first-apply`. */
function managersOf({ resource, live, subresource }: ApplyRequest, now: string): Managers {
  const known = live === undefined ? undefined : readManagers(valueAt(live, 'metadata', 'managedFields'));
  if (live === undefined || (known !== undefined && known.size > 0)) return known ?? new Map<string, Manager>();
  const earlier = { name: 'before-first-apply', operation: 'Update', apiVersion: resource.groupVersion, subresource } as const;
  const { changed: fields } = differenceOf(resource, undefined, live, subresource);
  return new Map([[managerKey(earlier), { ...earlier, time: now, fields }]]);
}

function conflictsWith(managers: Managers, changed: FieldSet): readonly Conflict[] {
  return [...managers.values()]
    .map((manager) => ({ manager, fields: manager.fields.intersection(changed) }))
    .filter(({ fields }) => !fields.isEmpty);
}

/** The conflicts that remain after kubectl has taken over the fields of its own client-side applies. */
function unsettled(conflicts: readonly Conflict[], { manager, live }: ApplyRequest, resource: ServedResource): readonly Conflict[] {
  if (manager !== 'kubectl' || live === undefined || conflicts.length === 0) return conflicts;
  const own = fieldsOfLastApplied(live, shapeOf(resource));
  return conflicts.map((conflict) => ({ ...conflict, fields: conflict.fields.difference(own) })).filter(({ fields }) => !fields.isEmpty);
}

/**
 * Applies a configuration: its fields become owned by its manager; fields that the manager owned and no longer applies are removed unless others own
 * them; a different value of a field owned by others is a conflict.
 *
 * @returns the object with its new owners in `metadata.managedFields`.
 * @throws StatusError 400 for a configuration that cannot be applied, and 409 for conflicts.
 */
export function applyConfiguration({ clock }: Pick<Cluster, 'clock'>, request: ApplyRequest): JsonObject {
  const { resource, applied, subresource, force } = request;
  const shape = shapeOf(resource);
  checkApplied(resource, applied, shape);
  const now = timestamp(clock.now());
  const applier = { name: request.manager, operation: 'Apply', apiVersion: resource.groupVersion, subresource } as const;
  const id = managerKey(applier);
  const others = new Map(managersOf(request, now));
  const last = others.get(id);
  others.delete(id);
  const live = unmanaged(request.live ?? {});
  const named = fieldsOf(applied, shape);
  const fields = ownable(named, resource, subresource);
  const merged = asJsonObject(mergeApplied(live, applied, shape));
  const managed = [...others.values()].reduce((all, other) => all.union(other.fields), named);
  const result = removeAbandoned(merged, last?.fields ?? FieldSet.empty, managed, shape);
  const difference = differenceOf(resource, live, result, subresource);
  const conflicts = force ? [] : unsettled(conflictsWith(others, difference.changed), request, resource);
  if (conflicts.length > 0) throw applyConflict(conflicts);
  // An apply that changes nothing but owners has no time of its own; what it says of fields that it cannot write changes nothing.
  const changesNothing = request.live !== undefined && difference.changed.isEmpty && difference.removed.isEmpty;
  const time = changesNothing ? (last?.time ?? '') : timeOf(subresource, now);
  const owners = managersAfter(others, difference).set(id, { ...applier, time, fields });
  const document = request.manager === 'kubectl' ? withLastApplied(result, applied) : result;
  return { ...document, metadata: { ...asJsonObject(document['metadata']), managedFields: writeManagers(owners) ?? [] } };
}
