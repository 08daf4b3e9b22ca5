import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { messageOf } from '../../api/errors/informerError.js';
import type { V1CustomResourceDefinition } from '../../api/kubernetes/apiextensionsV1.js';
import { similarTo } from '../../api/options.js';
import { resources } from '../../api/resources.js';
import { isRecord } from '../../client/decode/parseObject.js';
import { type ConnectionFlags, withClient } from '../arguments/selection.js';
import { CliError, exitCodes } from '../cliError.js';
import { printable } from '../output/printable.js';
import type { Terminal } from '../terminal.js';
import { typesOf } from './typesOf.js';

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
 * The CustomResourceDefinitions among the documents of a text of YAML or JSON; other objects are ignored.
 *
 * @param source - where the text comes from, for messages.
 * @throws CliError when the text is not YAML, or a definition has no structural schema.
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

/** The flags of `rx-informer types`. */
export interface TypesFlags extends ConnectionFlags {
  readonly crd?: readonly string[];
  readonly out?: string;
}

function definitionsIn(file: string): V1CustomResourceDefinition[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${messageOf(error)}`);
  }
  return readDefinitions(text, file);
}

/** The names by which a definition can be selected: its full name, its plural and its kind. */
const namesOf = ({ spec: { group, names } }: V1CustomResourceDefinition): readonly string[] => [
  `${names.plural}.${group}`,
  names.plural,
  names.kind,
];

function chosen(all: readonly V1CustomResourceDefinition[], wanted: readonly string[] | undefined): readonly V1CustomResourceDefinition[] {
  if (wanted === undefined) return all;
  for (const name of wanted) {
    if (all.some((definition) => namesOf(definition).includes(name))) continue;
    throw new CliError(
      `there is no CustomResourceDefinition ${JSON.stringify(name)}${similarTo(name, all.flatMap(namesOf))}`,
      exitCodes.usage,
    );
  }
  return all.filter((definition) => namesOf(definition).some((name) => wanted.includes(name)));
}

/** Writes a file, but only overwrites files that this command has written. */
function write(file: string, text: string): void {
  try {
    if (existsSync(file) && !readFileSync(file, 'utf8').startsWith('// Made by rx-informer types'))
      throw new CliError(`${file} is not a file that \`types\` has made; expected the name of a new one`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`cannot write ${file}: ${messageOf(error)}`);
  }
}

/** `rx-informer types`: writes TypeScript for the CustomResourceDefinitions in files, or on a server if no file is given. */
export async function typesCommand(files: readonly string[], flags: TypesFlags, terminal: Terminal): Promise<void> {
  const all =
    files.length > 0
      ? files.flatMap(definitionsIn)
      : await withClient(flags, async (client) => (await client.list(resources.apiextensions.v1.customresourcedefinitions)).items);
  const definitions = chosen(all, flags.crd);
  if (definitions.length === 0)
    throw new CliError(
      `expected a CustomResourceDefinition in ${files.length === 0 ? 'the cluster' : files.map((file) => (file === '-' ? 'the input' : file)).join(', ')}, found none`,
    );
  const text = typesOf(definitions);
  if (flags.out === undefined) terminal.stdout.write(text);
  else write(flags.out, text);
}
