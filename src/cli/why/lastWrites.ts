import type { ManagedFieldsEntry, UnstructuredObject } from '../../api/kubernetesObject.js';

/**
 * A write that shows in `metadata.managedFields`.
 */
export interface LastWrite {
  /** When, as a timestamp. */
  readonly time: string;
  /** Who, and how: `kubelet, update of status`. */
  readonly who: string;
  /** Which fields it owns, down to the second level: `.status.conditions`. */
  readonly fields: readonly string[];
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** The paths of a set of fields, as far as they are of interest. */
function pathsOf(fields: unknown, depth: number, path = ''): string[] {
  const parts = isFields(fields) ? Object.entries(fields).filter(([key]) => key.startsWith('f:')) : [];
  if (parts.length === 0 || depth === 0) return path === '' ? [] : [path];
  return parts.flatMap(([key, below]) => pathsOf(below, depth - 1, `${path}.${key.slice(2)}`));
}

function writeOf({ manager = 'somebody', operation = 'Update', subresource, time = '', fieldsV1 }: ManagedFieldsEntry): LastWrite {
  const of = subresource === undefined ? '' : ` of ${subresource}`;
  return { time, who: `${manager}, ${operation.toLowerCase()}${of}`, fields: pathsOf(fieldsV1, 2) };
}

/**
 * Who wrote an object last and to which fields, the latest write first. The server remembers one write for each writer.
 */
export function lastWrites({ metadata }: UnstructuredObject): LastWrite[] {
  return (metadata?.managedFields ?? []).map(writeOf).sort((a, b) => Date.parse(b.time) - Date.parse(a.time) || 0);
}
