/** The `apiVersion` of a resource's objects: `v1`, or `apps/v1` outside the core group. */
export function apiVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}
