/** What cannot be the name of a constant in a module. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements ' +
    'import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** A name as an identifier: `web-sites` becomes `webSites`. What cannot stand in one is left out, and a word of the language gets `_` before it. */
export function identifierOf(name: string): string {
  const joined = name.replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase());
  return /^[A-Za-z]/.test(joined) && !reserved.has(joined) ? joined : `_${joined}`;
}

/** The same as the name of a type: `web-sites` becomes `WebSites`. */
export function typeNameOf(name: string): string {
  return identifierOf(name).replace(/^./, (first) => first.toUpperCase());
}
