import { randomBytes } from 'node:crypto';
import { definitionOf } from './definitionOf.js';
import type { Target } from './target.js';

/** A custom resource of one case. */
export interface DefinedResource {
  readonly group: string;
  /** The path of the objects of a version in a namespace. */
  path(namespace: string, version?: string): string;
  remove(): Promise<void>;
}

/** The fields of a definition other than its names. */
export interface Definition {
  readonly versions: readonly object[];
  readonly scope?: 'Namespaced' | 'Cluster';
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const patienceMs = 10_000;

/** Defines widgets of a group of their own, and waits until they are served. */
export async function defineResource(target: Target, { versions, scope = 'Namespaced' }: Definition): Promise<DefinedResource> {
  const group = `${randomBytes(5).toString('hex')}.example.com`;
  await target.post(definitions, definitionOf('Widget', versions, { group, scope }));
  const path = (namespace: string, version = 'v1'): string =>
    `/apis/${group}/${version}/${scope === 'Cluster' ? '' : `namespaces/${namespace}/`}widgets`;
  for (const until = Date.now() + patienceMs; Date.now() < until;) {
    if ((await target.request(path('default'))).code === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    group,
    path,
    remove: async () => {
      await target.delete(`${definitions}/widgets.${group}`);
    },
  };
}
