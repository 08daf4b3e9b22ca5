/** One version of a definition, served and stored. */
export function versionOf(schema: object, rest: object = {}): object {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...rest };
}

/** The other fields of a definition. */
interface DefinitionFields {
  readonly group?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly conversion?: object;
}

interface KubernetesDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

/** A definition of a kind, by default in the group `example.com`, and with namespaces. */
export function definitionOf(
  kind: string,
  versions: readonly object[],
  { group = 'example.com', scope = 'Namespaced', ...spec }: DefinitionFields = {},
): KubernetesDefinition {
  const singular = kind.toLowerCase();
  const names = { plural: `${singular}s`, singular, kind, listKind: `${kind}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope, names, versions, ...spec },
  };
}
