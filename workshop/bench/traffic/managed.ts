import { time } from './madeUp.js';

/** The fields of a field manager: `a.b,c` is `{"f:a":{"f:b":{}},"f:c":{}}`. */
function fieldsV1(paths: string): object {
  const fields: Record<string, object> = {};
  for (const path of paths.split(',')) {
    let around = fields;
    for (const key of path.split('.')) around = (around[key.startsWith('k:') ? key : `f:${key}`] ??= {}) as Record<string, object>;
  }
  return fields;
}

/**
 * An entry of `metadata.managedFields`.
 */
export function managed(manager: string, seconds: number, paths: string, subresource?: string): object {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: time(seconds),
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1(paths),
    ...(subresource !== undefined && { subresource }),
  };
}
