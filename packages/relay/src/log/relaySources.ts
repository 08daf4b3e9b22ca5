import type { Collection, Resource } from 'rx-informer';

interface AskedFields {
  /**
   * The fields that pages may ask for: paths such as `status`, each with all below it, or `'all'`. By default everything but what is secret as a rule: the data of
   * Secrets, and the values of environment variables. @defaultValue everything but those
   */
  readonly fields?: 'all' | readonly string[] | undefined;
}

/** A kind that pages may follow. */
export interface RelayKind extends AskedFields {
  readonly collection: Collection<unknown>;
  /** The resource that a user must be permitted to list and watch. */
  readonly resource: Pick<Resource<unknown>, 'group' | 'plural' | 'namespaced'>;
}

/** A view that pages may follow. */
export interface RelayView extends AskedFields {
  readonly collection: Collection<unknown>;
  /**
   * The names of all sources that it is computed from. A user sees a value if permitted to read everything that it was computed from, provided that the view can `explain` it;
   * otherwise only with permission for all namespaces of every input.
   */
  readonly inputs: readonly string[];
}

/** The sources that pages may follow, by name. Nothing else can be requested. */
export type RelaySources = Readonly<Record<string, RelayKind | RelayView>>;
