import { missingName } from './knownNames.js';

/** The resource as messages name it: `pods`, or `deployments.apps` outside the core group. */
export function resourceName(resource: { readonly group: string; readonly plural: string }): string {
  if (typeof (resource as unknown) !== 'object') throw notAResource(resource);
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** The error of a call that was given something else than a resource. */
export function notAResource(value: unknown): TypeError {
  return new TypeError(
    `Expected \`resource\` to be a resource, got ${value === undefined ? `undefined${missingName()}` : JSON.stringify(value)}`,
  );
}

/** The `apiVersion` of a resource's objects: `v1`, or `apps/v1` outside the core group. */
export function apiVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}
