import { similarTo } from './options/similarTo.js';

/** What was read last of a catalog that has no such name: `resources.core.v1.pod`. */
let missing: { readonly path: string; readonly hint: string } | undefined;

/** Names that runtimes and test libraries look for in any object. */
const lookedFor: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'constructor',
  'nodeType',
  'tagName',
  'asymmetricMatch',
  '$$typeof',
  'inspect',
]);

function withKnownNames<O extends object>(path: string, catalog: O): O {
  return new Proxy(catalog, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && !(name in target) && !lookedFor.has(name)) {
        missing = { path: `${path}.${name}`, hint: similarTo(name, Object.keys(target)) };
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

/** A catalog that takes note of groups, versions and plurals that it does not have: the error of whoever is given `undefined` names the nearest. */
export function withKnownGroups<O extends object>(catalog: O): O {
  const groups = Object.entries(catalog).map(([group, versions]: [string, object]) => {
    const known = Object.entries(versions).map(([version, plurals]: [string, object]) => [
      version,
      withKnownNames(`resources.${group}.${version}`, plurals),
    ]);
    return [group, withKnownNames(`resources.${group}`, Object.fromEntries(known) as object)];
  });
  return withKnownNames('resources', Object.fromEntries(groups) as O);
}

/** The end of an error message about `undefined` in the place of a resource. */
export function missingName(): string {
  return missing === undefined ? '' : `; there is no \`${missing.path}\`${missing.hint}`;
}
