import { StatusError } from '../status/statusError.js';
import type { FieldSet } from './fieldSet.js';
import type { Manager } from './managedFields.js';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

function shownManager({ name, operation, apiVersion, subresource }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** The 409 error of an apply that would change fields of others. */
export function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const byManager = conflicts
    .map(({ manager, fields }) => ({ manager: shownManager(manager), paths: fields.paths() }))
    .sort((a, b) => (a.manager < b.manager ? -1 : 1));
  const causes = byManager.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  );
  const lines = byManager.flatMap(({ manager, paths }) => [`conflicts with ${manager}:`, ...paths.map((path) => `- ${path}`)]);
  const [only] = causes;
  const several = causes.length !== 1 || only === undefined;
  const message = several
    ? `Apply failed with ${String(causes.length)} conflicts: ${lines.join('\n')}`
    : `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}
