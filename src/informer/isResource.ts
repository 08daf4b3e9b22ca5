import type { Resource } from '../api/resource.js';

/** Whether a value describes a resource. */
export function isResource<T>(value: unknown): value is Resource<T, 'list' | 'watch'> {
  return typeof value === 'object' && value !== null && 'plural' in value && 'verbs' in value;
}

/** The error of a call that was given something else. */
export function notAResource(value: unknown): TypeError {
  return new TypeError(`Expected \`resource\` to be a resource, got ${value === undefined ? 'undefined' : JSON.stringify(value)}`);
}
