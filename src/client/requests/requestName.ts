/** A request as messages name it: method and path, without the query. */
export function requestName(request: { readonly method: string; readonly path: string }): string {
  return `${request.method} ${request.path.split('?', 1)[0] ?? ''}`;
}
