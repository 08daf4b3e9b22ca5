import { parseAllDocuments } from 'yaml';
import { resources, type V1CustomResourceDefinition, type V1CustomResourceDefinitionVersion, type V1JSONSchemaProps } from 'rx-informer';
import { isJsonObject, similarTo } from 'rx-informer/internal';
import { type ConnectionFlags, withClient } from '../arguments/selection.js';
import { CliError, exitCodes } from '../cliError.js';
import { readText, writeText } from '../files.js';
import { printable, printableJson } from '../output/printable.js';
import type { Run } from '../terminal.js';
import { isMadeOfModule, manifestsOf } from './manifestsOf.js';

/** A value as a TypeScript literal: strings are quoted, with everything escaped that a terminal or a compiler would interpret. */
function literalOf(value: unknown): string {
  const json = printableJson(value);
  return typeof value !== 'string' || value.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** Reserved words, which cannot name a constant. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements ' +
    'import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** A name as an identifier: `web-sites` becomes `webSites`. Invalid characters are left out, and a reserved word gets the prefix `_`. */
function identifierOf(name: string): string {
  const joined = name.replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase());
  return /^[A-Za-z]/.test(joined) && !reserved.has(joined) ? joined : `_${joined}`;
}

/** A name in the form of a type: `web-sites` becomes `WebSites`. */
function typeNameOf(name: string): string {
  return identifierOf(name).replace(/^./, (first) => first.toUpperCase());
}

const width = 120;

/** Wraps a text. */
function wrap(text: string, room: number): string[] {
  const line = new RegExp(`\\S.{0,${String(room - 1)}}(?= |$)|\\S+`, 'g');
  return text
    .trim()
    .split(/\r?\n/)
    .flatMap((paragraph) => paragraph.trim().replace(/\s+/g, ' ').match(line) ?? ['']);
}

/** A text as a comment, with a newline at its end; nothing for an empty text. The text cannot end the comment early. */
function commentOf(text: string, indent: string): string {
  if (text.trim() === '') return '';
  const lines = wrap(text, width - indent.length - 3).map((line) => printable(line).replaceAll('*/', '*\\/'));
  const [only = ''] = lines;
  if (lines.length === 1 && only.length <= width - indent.length - 7) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd() + '\n').join('')}${indent} */\n`;
}

/** The comment of a field: its description, the keys of its items, and its default. */
function schemaComment(schema: V1JSONSchemaProps): string {
  const { description = '', default: fallback } = schema;
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const notes = [
    ...(type === 'map' && keys.length > 0 ? [`One item for each ${keys.map((key) => `\`${key}\``).join(' and ')}.`] : []),
    ...(type === 'set' ? ['No item twice.'] : []),
    ...(fallback === undefined ? [] : [`Default: \`${JSON.stringify(fallback)}\`.`]),
  ];
  return [description.trim(), notes.join(' ')].filter((text) => text !== '').join('\n');
}

const anything = 'Readonly<Record<string, unknown>>';
const step = '  ';
/** The fields of every embedded object, as in `KubernetesObject`. */
const ofEveryObject = new Set(['apiVersion', 'kind', 'metadata']);

const isOpen = (schema: V1JSONSchemaProps): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;
/** Whether `readonly X[]` needs no parentheses around X. */
const isOneWord = (type: string): boolean => /^(\w+|\w+<[^]*>|\{[^]*\})$/.test(type);

/** The members of an object type, each in lines of its own. */
function membersOf(
  schema: V1JSONSchemaProps,
  indent: string,
  leaveOut: ReadonlySet<string>,
  typeOf = (_: string, property: V1JSONSchemaProps): string => typeOfSchema(property, indent),
): string {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {})
    .filter(([name]) => !leaveOut.has(name))
    .map(([name, property]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literalOf(name);
      const type = typeOf(name, property);
      // With `exactOptionalPropertyTypes`, allow writing `undefined`, which JSON omits.
      const field = required.has(name) ? `${key}: ${type}` : `${key}?: ${type === 'unknown' ? type : `${type} | undefined`}`;
      return `${commentOf(schemaComment(property), indent)}${indent}readonly ${field};\n`;
    });
  return [...members, ...(isOpen(schema) ? [`${indent}readonly [field: string]: unknown;\n`] : [])].join('');
}

function objectType(schema: V1JSONSchemaProps, indent: string): string {
  const { additionalProperties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (typeof additionalProperties === 'object') return `Readonly<Record<string, ${typeOfSchema(additionalProperties, indent)}>>`;
  const members = membersOf(schema, `${indent}${step}`, isEmbedded ? ofEveryObject : new Set());
  const isBare = Object.keys(schema.properties ?? {}).every((name) => isEmbedded && ofEveryObject.has(name));
  if (isEmbedded && isBare) return isOpen(schema) ? 'UnstructuredObject' : 'KubernetesObject';
  if (isBare) return anything;
  return `${isEmbedded ? 'KubernetesObject & ' : ''}{\n${members}${indent}}`;
}

function arrayType({ items }: V1JSONSchemaProps, indent: string): string {
  const item = typeof items === 'object' && !Array.isArray(items) ? typeOfSchema(items as V1JSONSchemaProps, indent) : 'unknown';
  return isOneWord(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function plainType(schema: V1JSONSchemaProps, indent: string): string {
  const { enum: values, type } = schema;
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return 'number | string';
  if (values !== undefined && values.length > 0) return [...new Set(values.map(literalOf))].join(' | ');
  switch (type) {
    case 'object':
      return objectType(schema, indent);
    case 'array':
      return arrayType(schema, indent);
    case 'string':
    case 'boolean':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    default:
      return schema['x-kubernetes-embedded-resource'] === true ? objectType(schema, indent) : 'unknown';
  }
}

/**
 * The TypeScript type for a structural schema, with this indentation. Only known parts of the schema are used, so that nothing in a
 * definition can inject code.
 *
 * Everything is read-only, like cached objects. Fields with a default are optional: they may be omitted when an object is created.
 */
function typeOfSchema(schema: V1JSONSchemaProps, indent: string): string {
  const type = plainType(schema, indent);
  if (schema.nullable !== true || type === 'unknown' || / \| null$|^null$/.test(type)) return type;
  return `${type} | null`;
}

/** Whether a part gets an interface of its own. */
const isLarge = (schema: V1JSONSchemaProps): boolean =>
  schema.type === 'object' &&
  schema.nullable !== true &&
  schema['x-kubernetes-embedded-resource'] !== true &&
  Object.keys(schema.properties ?? {}).length > 0;

/**
 * The interfaces of one version of a custom resource: one for the object, and one for each of its large parts. `nameOf` returns an unused
 * name.
 */
function interfacesOf(name: string, schema: V1JSONSchemaProps, nameOf: (wanted: string) => string): string {
  const parts: string[] = [];
  const members = membersOf(schema, step, ofEveryObject, (property, part) => {
    if (!isLarge(part)) return typeOfSchema(part, step);
    const type = nameOf(`${name}${typeNameOf(property)}`);
    parts.push(`${commentOf(schemaComment(part), '')}export interface ${type} ${typeOfSchema(part, '')}\n`);
    return type;
  });
  const object = `${commentOf(schema.description ?? '', '')}export interface ${name} extends KubernetesObject {\n${members}}\n`;
  return [object, ...parts].join('\n');
}

const imported = ['customResource', 'type KubernetesObject', 'type Resource', 'type UnstructuredObject'];

/** Makes a function that returns unused names: the wanted one, or with a number appended. */
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
 * TypeScript for custom resources: for each served version, the interfaces of its objects and the resource for informers.
 *
 * The stored version has the names of the kind and the plural, such as `WebSite` and `websites`; others have the version appended, such as
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

type Fields = Readonly<Record<string, unknown>>;

/** The objects in a document: the items of a List, or the document itself. */
const objectsOf = (value: unknown): readonly unknown[] => (isJsonObject(value) && Array.isArray(value['items']) ? value['items'] : [value]);

function definitionOf(value: Fields, source: string): V1CustomResourceDefinition {
  const { metadata, apiVersion, spec } = value;
  const { name }: Fields = isJsonObject(metadata) ? metadata : { name: 'without a name' };
  const refuse = (expected: string): never => {
    throw new CliError(`${source}: expected the CustomResourceDefinition ${printable(String(name))} ${expected}`);
  };
  if (apiVersion !== 'apiextensions.k8s.io/v1') refuse(`to be of apiextensions.k8s.io/v1, got ${printable(String(apiVersion))}`);
  const { group, names, versions } = isJsonObject(spec) ? spec : {};
  if (typeof group !== 'string') refuse('to have a `spec.group`');
  if (!isJsonObject(names) || typeof names['plural'] !== 'string' || typeof names['kind'] !== 'string')
    refuse('to have a plural and a kind in `spec.names`');
  if (!Array.isArray(versions) || !versions.every((one) => isJsonObject(one) && typeof one['name'] === 'string'))
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
      (object): object is Fields => isJsonObject(object) && object['kind'] === 'CustomResourceDefinition',
    );
    return found.map((object) => definitionOf(object, source));
  });
}

/** The flags of `rx-informer types`. */
export interface TypesFlags extends ConnectionFlags {
  readonly crd?: readonly string[];
  readonly from?: string;
  readonly out?: string;
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

const isMade = (text: string): boolean => text.startsWith('// Made by rx-informer types');

/** `rx-informer types`: writes TypeScript for the CustomResourceDefinitions in files, or on a server if no file is given; or YAML of the definitions in a module. */
export async function typesCommand(files: readonly string[], flags: TypesFlags, { terminal, end$ }: Run): Promise<void> {
  if (flags.from !== undefined) {
    if (files.length > 0 || flags.crd !== undefined) throw new CliError('expected --from without files and --crd', exitCodes.usage);
    const yaml = await manifestsOf(flags.from);
    if (flags.out === undefined) terminal.stdout.write(yaml);
    else writeText(flags.out, yaml, isMadeOfModule, 'is not a file that `types --from` has made; expected the name of a new one');
    return;
  }
  const all =
    files.length > 0
      ? files.flatMap((file) => readDefinitions(readText(file), file))
      : await withClient(flags, end$, async (client) => (await client.list(resources.apiextensions.v1.customresourcedefinitions)).items);
  const definitions = chosen(all, flags.crd);
  if (definitions.length === 0)
    throw new CliError(
      `expected a CustomResourceDefinition in ${files.length === 0 ? 'the cluster' : files.map((file) => (file === '-' ? 'the input' : file)).join(', ')}, found none`,
    );
  const text = typesOf(definitions);
  if (flags.out === undefined) terminal.stdout.write(text);
  else writeText(flags.out, text, isMade, 'is not a file that `types` has made; expected the name of a new one');
}
