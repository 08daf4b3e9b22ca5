import type { KubernetesObject } from './kubernetesObject.js';
import type { Resource } from './resource.js';
import { resources } from './resources.js';

type AnyBuiltIn = Resource<KubernetesObject, never>;

/** The tree of `resources` without its types: groups, then versions, then plurals. */
const tree: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, AnyBuiltIn>>>>>> = { ...resources };

/**
 * Every built-in resource in one list: the core group first, a group's preferred version before its others.
 *
 * The verbs of each are known at run time only: `'watch' in resource.verbs`.
 */
export const builtInResources: readonly Resource<KubernetesObject, never>[] = Object.values(tree)
  .flatMap((versions) => Object.values(versions))
  .flatMap((plurals) => Object.values(plurals));
