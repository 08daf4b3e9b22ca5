/**
 * How fresh a list has to be.
 *
 * - `'any'`: client-go's ladder. The first list takes whatever the server has in its cache (version `0`), every later one at least the last version
 *   seen; only a list that fails because of its version asks for the most recent state. Cheapest for the server; the first list may be stale.
 * - `'mostRecent'`: every list is consistent with all writes before it.
 * - `{ notOlderThan }`: the first list is at least as new as this version, for example the one another process has saved.
 * - `{ exact }`: the first list is the state at exactly this version; a server that answers with another one is reported, and its answer used.
 *
 * Lists after the first follow the ladder of `'any'`; with `notOlderThan` they say so explicitly, and may then come in pages.
 */
export type ListSemantics = 'any' | 'mostRecent' | { readonly notOlderThan: string } | { readonly exact: string };
