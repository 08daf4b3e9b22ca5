import { readFileSync } from 'node:fs';
import * as clientNode from '@kubernetes/client-node';
import { closerTypes, nullableFields } from './modelFacts.js';

/** One field of a model, as in JSON. */
export interface Field {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  /** The field as in client-node. */
  readonly attribute: Attribute;
}

/** One model of client-node, as in JSON. */
export interface Model {
  readonly name: string;
  readonly fields: readonly Field[];
  /** The names of the models in its fields. */
  readonly references: readonly string[];
}

interface Attribute {
  readonly name: string;
  /** The name in JSON. */
  readonly baseName: string;
  readonly type: string;
}

const plainTypes: Readonly<Record<string, string>> = {
  any: 'unknown',
  boolean: 'boolean',
  Date: 'string',
  IntOrString: 'number | string',
  number: 'number',
  string: 'string',
  V1MicroTime: 'string',
};

/** The JSON type of a field; `found` is called with every model in it. */
function wireType(type: string, found: (model: string) => void): string {
  const item = /^Array<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) {
    const itemType = wireType(item, found);
    return itemType.includes(' ') ? `readonly (${itemType})[]` : `readonly ${itemType}[]`;
  }
  const value = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (value !== undefined) return `Readonly<Record<string, ${wireType(value, found)}>>`;
  const plain = plainTypes[type];
  if (plain !== undefined) return plain;
  if (!/^\w+$/.test(type)) throw new Error(`Cannot translate the type ${type}`);
  found(type);
  return type;
}

/** The properties in the declaration of a model, and whether each is optional. */
function readOptional(model: string): Map<string, boolean> {
  const file = new URL(`gen/models/${model}.d.ts`, import.meta.resolve('@kubernetes/client-node'));
  const declarations = readFileSync(file, 'utf8').matchAll(/^ {4}'(\w+)'(\??): /gm);
  return new Map([...declarations].map(([, name = '', mark]) => [name, mark === '?']));
}

function readModel(model: string, attributes: readonly Attribute[]): Model {
  const optional = readOptional(model);
  const references = new Set<string>();
  const nullable = nullableFields[model] ?? [];
  const fields = attributes.map((attribute): Field => {
    const mayMiss = optional.get(attribute.name);
    if (mayMiss === undefined) throw new Error(`${model}.${attribute.name} is not in the declaration`);
    const type = closerTypes[`${model}.${attribute.baseName}`] ?? wireType(attribute.type, (found) => references.add(found));
    const wire = nullable.includes(attribute.baseName) ? `${type} | null` : type;
    return { name: attribute.baseName, optional: mayMiss, type: wire, attribute };
  });
  for (const name of nullable) if (!fields.some((field) => field.name === name)) throw new Error(`There is no ${model}.${name}`);
  return { name: model, fields, references: [...references].sort() };
}

function attributesOf(value: unknown): readonly Attribute[] | undefined {
  return typeof value === 'function' && 'attributeTypeMap' in value ? (value.attributeTypeMap as readonly Attribute[]) : undefined;
}

/**
 * Every model of the installed client-node by name.
 */
export function readModels(): ReadonlyMap<string, Model> {
  const models = new Map<string, Model>();
  for (const [name, value] of Object.entries(clientNode)) {
    const attributes = attributesOf(value);
    if (attributes !== undefined) models.set(name, readModel(name, attributes));
  }
  for (const name of Object.keys(nullableFields)) if (!models.has(name)) throw new Error(`There is no model ${name}`);
  for (const path of Object.keys(closerTypes)) {
    const [name = '', field] = path.split('.');
    if (models.get(name)?.fields.some((known) => known.name === field) !== true) throw new Error(`There is no ${path}`);
  }
  return models;
}
