import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';

/** What a server, or one group of its API, offers: its preferred version first. */
export interface Discovered {
  readonly resources: readonly Resource<UnstructuredObject>[];
  /** The versions that could not be read, and why. */
  readonly failures: readonly string[];
}

type Optional = 'singular' | 'shortNames' | 'categories' | 'subresources';

/** The fields of a resource; a server leaves some of them out, or empty. */
interface Fields extends Omit<Resource<unknown>, Optional | 'verbs'> {
  readonly optional: { readonly [Field in Optional]: Resource<unknown>[Field] };
  readonly verbs: readonly string[] | undefined;
}

/** A resource that a server has. Which verbs it offers is known at run time only. */
export function discoveredResource({ optional, verbs = [], ...fields }: Fields): Resource<UnstructuredObject> {
  const given = Object.entries(optional).filter(([, value]) => value !== undefined && value !== '');
  return {
    ...fields,
    ...Object.fromEntries(given),
    verbs: Object.fromEntries(verbs.map((verb) => [verb, true])),
  } as Resource<UnstructuredObject>;
}
