/** The verbs that an API server offers for a resource. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * Describes one resource of an API server: its path, what it offers and, by `T`, what its objects look like.
 *
 * `Verbs` is the union of the verbs that it offers: where `Resource<T, 'list' | 'watch'>` is wanted, a create-only kind does not compile.
 */
export interface Resource<T, Verbs extends Verb = Verb> {
  /** The API group; `''` for core. */
  readonly group: string;
  readonly version: string;
  /** The plural exactly as it stands in the URL. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The verbs offered, each a key with the value `true`. */
  readonly verbs: Readonly<Record<Verbs, true>>;
  /** Names of the subresources, for example `status` and `scale`. */
  readonly subresources?: readonly string[];
  /** Carries the type of the objects; never present at run time. */
  readonly objectType?: T;
}
