import type { Collection } from 'rx-informer';
import type { RelaySources } from './relaySources.js';

/** The kinds and views of a relay by their names, with the types of their objects. */
export interface RelayShape {
  readonly kinds: object;
  readonly views: object;
}

type ObjectOf<Source> = Source extends { readonly collection: Collection<infer T> } ? T : never;

/**
 * What pages may ask a relay for: the names of its kinds and views, with the types of their objects. A page imports the type alone, so that nothing of the server is
 * bundled: `export type App = RelayOf<typeof relay>`, and `relayHooks<App>()` in the page.
 */
export type RelayOf<R> = R extends { readonly sources: infer S extends RelaySources }
  ? {
      readonly kinds: { readonly [Name in keyof S as S[Name] extends { readonly resource: unknown } ? Name : never]: ObjectOf<S[Name]> };
      readonly views: { readonly [Name in keyof S as S[Name] extends { readonly inputs: unknown } ? Name : never]: ObjectOf<S[Name]> };
    }
  : never;
