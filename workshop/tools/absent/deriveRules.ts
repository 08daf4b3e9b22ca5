import type { AbsentAnswer } from './answers.js';
import { partsAway, type Value } from './partsOf.js';

/** The errors of a server for an absent field and for an empty one. The fields of a definition are in the order of validation. */
export interface AbsentRule {
  readonly absent?: readonly string[];
  readonly empty?: readonly string[];
  /** The struct is validated even if it is absent: as one without fields. */
  readonly always?: true;
}

/** By definition and field. */
export type AbsentRules = Readonly<Record<string, Readonly<Record<string, AbsentRule>>>>;

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

/** The definitions of an OpenAPI document. */
export type Schemas = Readonly<Record<string, Schema>>;

/** A field, or an item of a list field. */
interface FieldPlace {
  readonly definition: string;
  readonly field: string;
  readonly schema: Schema;
}

const prefix = '#/definitions/';

/** Evidence about the validation of a field. */
interface Evidence {
  readonly said: Record<'absent' | 'empty', (readonly string[])[]>;
  readonly below: number[];
}

class Derivation {
  private readonly schemas: Schemas;
  private readonly roots = new Map<string, string>();
  private readonly evidence = new Map<string, Evidence>();
  /** Fields without which an object was accepted, by definition, field and whether they were absent or empty. */
  private readonly accepted = new Set<string>();
  /** How often one field of a definition was reported before another. */
  private readonly before = new Map<string, number>();

  constructor(schemas: Schemas) {
    this.schemas = schemas;
    for (const [name, definition] of Object.entries(schemas))
      for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
        this.roots.set(`${group === '' ? '' : `${group}/`}${version} ${kind}`, name);
  }

  learn(of: string, object: Value, answer: AbsentAnswer): void {
    const root = { $ref: prefix + (this.roots.get(of.split(' ').slice(0, 2).join(' ')) ?? '') };
    // 409: the object exists, so it passed validation before.
    if (answer.code < 300 || answer.code === 409) this.accept(object, root);
    if (answer.code !== 422) return;
    const causes = answer.causes ?? [];
    const places = causes.map(([, field]) => this.chain(root, field));
    for (const [at, place] of places.entries()) for (const later of places.slice(at + 1)) this.order(place, later);
    const own = this.chain(root, answer.path).at(-1);
    if (own === undefined || answer.how === 'whole' || /^(metadata|status)\b/.test(answer.path)) return;
    const id = `${own.definition}\n${own.field}`;
    const evidence = this.evidence.get(id) ?? { said: { absent: [], empty: [] }, below: [] };
    this.evidence.set(id, evidence);
    evidence.said[answer.how].push(causes.filter(([, field]) => field === answer.path).map(([, , message]) => message));
    const below = causes.filter(([, field]) => field.startsWith(`${answer.path}.`)).length;
    if (answer.how === 'absent') evidence.below.push(below);
  }

  rules(): AbsentRules {
    const found: Record<string, Record<string, AbsentRule>> = {};
    for (const [id, { said, below }] of this.evidence) {
      const [definition = '', field = ''] = id.split('\n');
      const always = below.length > 0 && below.every((count) => count > 0) && !this.accepted.has(`${id}\nabsent`);
      // The errors of a struct without fields, other than those of its fields, are a rule of their own.
      const absent = always ? [] : this.agreed(id, 'absent', said.absent);
      const empty = always ? [] : this.agreed(id, 'empty', said.empty);
      if (absent.length + empty.length === 0 && !always) continue;
      (found[definition] ??= {})[field] = {
        ...(absent.length > 0 && { absent }),
        ...(empty.length > 0 && { empty }),
        ...(always && { always: true }),
      };
    }
    return Object.fromEntries(
      Object.entries(found)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, fields]) => [name, this.inOrder(name, fields)]),
    );
  }

  private resolve(schema: Schema): readonly [name: string, definition: Schema] {
    const name = schema.$ref?.slice(prefix.length) ?? '';
    return [name, this.schemas[name] ?? schema];
  }

  /** The fields along a path. */
  private chain(root: Schema, path: string): readonly FieldPlace[] {
    const places: FieldPlace[] = [];
    let schema = root;
    for (const [segment] of path.matchAll(/[^.[\]]+|\[[^\]]*\]/g)) {
      const [definition, target] = this.resolve(schema);
      const last = places.at(-1);
      if (segment.startsWith('[') && target.items !== undefined && last !== undefined) {
        schema = target.items;
        places.push({ ...last, field: `${last.field}[]`, schema });
        continue;
      }
      const field = target.properties?.[segment];
      if (field === undefined)
        return path === places.map((place) => place.field).join('.') ? places : [...places, { definition: '', field: '', schema: {} }];
      schema = field;
      places.push({ definition, field: segment, schema });
    }
    return places;
  }

  private accept(value: Value, schema: Schema): void {
    const [definition, target] = this.resolve(schema);
    if (Array.isArray(value)) {
      for (const item of value as readonly Value[]) this.accept(item, target.items ?? {});
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const object = value as { readonly [name: string]: Value };
    for (const [name, field] of Object.entries(target.properties ?? {})) {
      const inner = object[name];
      const id = `${definition}\n${name}`;
      if (inner === undefined) this.accepted.add(`${id}\nabsent`);
      else if (isEmpty(inner)) this.accepted.add(`${id}\nempty`);
      if (Array.isArray(inner) && inner.some(isEmpty)) this.accepted.add(`${id}[]\nempty`);
      if (inner !== undefined) this.accept(inner, field);
    }
    if (target.additionalProperties !== undefined)
      for (const inner of Object.values(object)) this.accept(inner, target.additionalProperties);
  }

  private order(first: readonly FieldPlace[], second: readonly FieldPlace[]): void {
    const at = first.findIndex((place, index) => place.field !== second[index]?.field);
    const [a, b] = [first[at], second[at]];
    if (a === undefined || b === undefined || a.definition !== b.definition || a.definition === '') return;
    const id = `${a.definition}\n${a.field}\n${b.field}`;
    this.before.set(id, (this.before.get(id) ?? 0) + 1);
  }

  private agreed(id: string, how: 'absent' | 'empty', said: readonly (readonly string[])[]): readonly string[] {
    const [first = []] = said;
    const same = said.every((messages) => JSON.stringify(messages) === JSON.stringify(first));
    return same && !this.accepted.has(`${id}\n${how}`) && !first.some((message) => message.includes('whole')) ? first : [];
  }

  private inOrder(definition: string, fields: Readonly<Record<string, AbsentRule>>): Readonly<Record<string, AbsentRule>> {
    const votes = (a: string, b: string): number => this.before.get(`${definition}\n${a}\n${b}`) ?? 0;
    const named = [...this.before.keys()].flatMap((id) => (id.startsWith(`${definition}\n`) ? id.split('\n').slice(1) : []));
    const ordered: string[] = [];
    for (const field of new Set([...Object.keys(fields), ...named].filter((name) => !name.endsWith('[]') || name in fields))) {
      const at = ordered.findIndex((other) => votes(field, other) > votes(other, field));
      ordered.splice(at < 0 ? ordered.length : at, 0, field);
    }
    return Object.fromEntries(ordered.map((field) => [field, fields[field] ?? {}]));
  }
}

function isEmpty(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0;
}

/**
 * Derives the requirements of a server from its answers for objects with parts removed: a field is required if its absence always gave the
 * same error, and no object without it was accepted.
 */
export function deriveRules(schemas: Schemas, objects: readonly Value[], answers: readonly AbsentAnswer[]): AbsentRules {
  const derivation = new Derivation(schemas);
  let at = 0;
  for (const object of objects) {
    for (const part of [{ object }, ...partsAway(object)]) {
      const answer = answers[at];
      at += 1;
      if (answer !== undefined) derivation.learn(answer.of, part.object, answer);
    }
  }
  return derivation.rules();
}
