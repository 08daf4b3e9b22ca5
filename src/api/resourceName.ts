/** The resource as messages name it: `pods`, or `deployments.apps` outside the core group. */
export function resourceName(resource: { readonly group: string; readonly plural: string }): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}
