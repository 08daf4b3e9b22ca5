import { parseAllDocuments } from 'yaml';
import type { V1CustomResourceDefinition } from '../../api/kubernetes/apiextensionsV1.js';
import { isRecord } from '../../client/decode/parseObject.js';
import { CliError } from '../cliError.js';
import { printable } from '../output/printable.js';

type Fields = Readonly<Record<string, unknown>>;

/** The objects in a document: the items of a List, or the document itself. */
const objectsOf = (value: unknown): readonly unknown[] => (isRecord(value) && Array.isArray(value['items']) ? value['items'] : [value]);

function definitionOf(value: Fields, source: string): V1CustomResourceDefinition {
  const { metadata, apiVersion, spec } = value;
  const name = isRecord(metadata) ? String(metadata['name']) : 'without a name';
  const refuse = (expected: string): never => {
    throw new CliError(`${source}: expected the CustomResourceDefinition ${printable(name)} ${expected}`);
  };
  if (apiVersion !== 'apiextensions.k8s.io/v1') refuse(`to be of apiextensions.k8s.io/v1, got ${printable(String(apiVersion))}`);
  const { group, names, versions } = isRecord(spec) ? spec : {};
  if (typeof group !== 'string') refuse('to have a `spec.group`');
  if (!isRecord(names) || typeof names['plural'] !== 'string' || typeof names['kind'] !== 'string')
    refuse('to have a plural and a kind in `spec.names`');
  if (!Array.isArray(versions) || !versions.every((one) => isRecord(one) && typeof one['name'] === 'string'))
    refuse('to have `spec.versions`');
  return value as unknown as V1CustomResourceDefinition;
}

/**
 * The CustomResourceDefinitions among the documents of a text of YAML or JSON; other objects are passed by.
 *
 * @param source - where the text comes from, for messages.
 * @throws CliError when it is no YAML, or a definition is of a form that has no types.
 */
export function readDefinitions(text: string, source: string): V1CustomResourceDefinition[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new CliError(`${source}: ${printable(error.message.split('\n', 1)[0] ?? '')}`);
    const found = objectsOf(document.toJS()).filter(
      (object): object is Fields => isRecord(object) && object['kind'] === 'CustomResourceDefinition',
    );
    return found.map((object) => definitionOf(object, source));
  });
}
