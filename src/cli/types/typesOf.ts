import type { V1CustomResourceDefinition, V1CustomResourceDefinitionVersion } from '../../api/kubernetes/apiextensionsV1.js';
import { commentOf, identifierOf, interfacesOf, literalOf, typeNameOf } from './interfacesOf.js';

const imported = ['customResource', 'type KubernetesObject', 'type Resource', 'type UnstructuredObject'];

/** Names that are not taken yet: the wanted one, or with a number behind it. */
function createNames(): (wanted: string) => string {
  const taken = new Set(imported.map((name) => name.replace(/^type /, '')));
  return (wanted) => {
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}${String(number)}`;
    taken.add(name);
    return name;
  };
}

/** The descriptor of one version. */
function descriptorOf(
  { spec: { group, names, scope } }: V1CustomResourceDefinition,
  { name: version, subresources }: V1CustomResourceDefinitionVersion,
  { type, constant }: { readonly type: string; readonly constant: string },
): string {
  const served = (['status', 'scale'] as const).filter((one) => subresources?.[one] !== undefined);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['group', literalOf(group)],
    ['version', literalOf(version)],
    ['plural', literalOf(names.plural)],
    ['kind', literalOf(names.kind)],
    ['singular', names.singular === undefined ? undefined : literalOf(names.singular)],
    ['shortNames', names.shortNames === undefined ? undefined : `[${names.shortNames.map(literalOf).join(', ')}]`],
    ['namespaced', String(scope === 'Namespaced')],
    ['subresources', served.length === 0 ? undefined : `[${served.map(literalOf).join(', ')}]`],
  ];
  const lines = fields.flatMap(([field, value]) => (value === undefined ? [] : [`  ${field}: ${value},\n`]));
  const comment = commentOf(`${names.plural}.${group}, version ${version}.`, '');
  return `${comment}export const ${constant}: Resource<${type}> = customResource<${type}>({\n${lines.join('')}});\n`;
}

/**
 * TypeScript for custom resources: for each version that is served the interfaces of its objects, and the resource to hand to an informer.
 *
 * The stored version has the names of the kind and the plural, such as `WebSite` and `websites`; others have the version behind them, such as
 * `WebSiteV1beta1`.
 */
export function typesOf(definitions: readonly V1CustomResourceDefinition[]): string {
  const nameOf = createNames();
  const blocks = definitions.flatMap((definition) => {
    const { names, versions } = definition.spec;
    const served = versions.filter((version) => version.served);
    const main = served.find((version) => version.storage) ?? served[0];
    return served.map((version) => {
      const suffix = version === main ? '' : typeNameOf(version.name);
      const type = nameOf(`${typeNameOf(names.kind)}${suffix}`);
      const constant = nameOf(`${identifierOf(names.plural)}${suffix}`);
      const schema = version.schema?.openAPIV3Schema ?? { 'x-kubernetes-preserve-unknown-fields': true };
      return `${interfacesOf(type, schema, nameOf)}\n${descriptorOf(definition, version, { type, constant })}`;
    });
  });
  const body = blocks.join('\n');
  const used = imported.filter((name) => new RegExp(`\\b${name.replace(/^type /, '')}\\b`).test(body.replace(/\/\*\*[^]*?\*\//g, '')));
  const from = definitions.map(({ spec: { names, group } }) => `${names.plural}.${group}`).join(', ');
  return `// Made by rx-informer types of ${literalOf(from).slice(1, -1)}. Do not edit.\nimport { ${used.join(', ')} } from 'rx-informer';\n\n${body}`;
}
