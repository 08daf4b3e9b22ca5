import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { yamlOf } from '@rx-informer/api-server/internal';
import { isJsonObject, messageOf } from 'rx-informer/internal';
import { CliError } from '../cliError.js';

/** The first line of a file that was made of a module. */
const made = '# Made by rx-informer types --from ';

export const isMadeOfModule = (text: string): boolean => text.startsWith(made);

const isObject = (value: unknown): value is object =>
  isJsonObject(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string';

/** The Kubernetes objects in an export: itself, the definition of a defined resource, or the items of a list. */
function objectsIn(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (isObject(value)) return [value];
  return isJsonObject(value) && isObject(value['definition']) ? [value['definition']] : [];
}

/**
 * The Kubernetes objects that a module exports, as YAML: definitions of `defineResource`, manifests of `webhookManifests`, and any other. An object that is
 * exported twice is written once, and a definition as the manifests of its webhooks have it.
 *
 * @throws CliError when the module cannot be loaded, or exports none.
 */
export async function manifestsOf(file: string): Promise<string> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new CliError(`cannot load ${file}: ${messageOf(error)}`);
  }
  const found = new Map<string, object>();
  const exported = Object.values(module);
  // Lists come last: they have definitions with a conversion.
  for (const object of [...exported.filter((one) => !Array.isArray(one)), ...exported.filter(Array.isArray)].flatMap(objectsIn)) {
    const { kind, metadata } = object as {
      readonly kind: string;
      readonly metadata?: { readonly namespace?: string; readonly name?: string };
    };
    found.set(`${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`, object);
  }
  if (found.size === 0)
    throw new CliError(`expected ${file} to export what \`defineResource\` or \`webhookManifests\` returns, or other objects; found none`);
  const documents = [...found.values()].map((object) => yamlOf(object, { lineWidth: 140 }));
  return `${made}${file}. Do not edit.\n${documents.join('---\n')}`;
}
