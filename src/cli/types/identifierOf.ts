/**
 * A name as an identifier: `web-sites` becomes `webSites`. What cannot stand in one is left out.
 */
export function identifierOf(name: string): string {
  const joined = name.replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase());
  return /^[A-Za-z]/.test(joined) ? joined : `_${joined}`;
}
