/**
 * Sets every scalar of a valid object of every built-in kind to wrong values, one at a time, and derives field rules from the answers of a
 * real API server:
 *
 *   node --import ./workshop/tools/register-ts-node.mjs workshop/tools/fieldRules.ts     derives workshop/tools/schemas/fieldRules-1.36.json; workshop/tools/packSchemas.ts is next
 *
 * Needs etcd and kube-apiserver in the folder of KUBEBUILDER_ASSETS or on the PATH.
 */
import { writeFileSync } from 'node:fs';
import { typeOf, type TypeNode } from '../../packages/api-server/src/schema/builtIn/typeNode.js';
import { valueErrors, type ValueRule } from '../../packages/api-server/src/schema/builtIn/valueRules.js';
import { nameProblems, qualifiedNameProblems, type NameSyntax } from '../../packages/api-server/src/write/nameProblem.js';
import { startRealApiServer } from '@rx-informer/api-server';
import { Asker, pathOf, wholeObjects, type Answered, type WholeObject } from './absent/answers.js';
import type { Value } from './absent/partsOf.js';

const badText = 'Bad_Value!';
/** Texts of many forms: a rule must not refuse one that the server accepts. */
const otherTexts = ['*.example.com', 'a.b.c', 'a-b', 'Ab', 'a_b', 'a/b', '1', 'a:b', '1.2.3.4', 'example.com/a'];
const numbers = [-1, 0, 99_999_999];
const syntaxes: readonly NameSyntax[] = ['subdomain', 'label', 'label1035', 'labelValue'];

/** One wrong value at its path. */
interface Probe {
  readonly keys: readonly (string | number)[];
  readonly value: string | number;
  readonly object: Value;
}

function* probesOf(whole: Value, at: unknown = whole, keys: readonly (string | number)[] = []): Generator<Probe, void, undefined> {
  if (keys.length === 1 && ['apiVersion', 'kind', 'status', 'metadata'].includes(String(keys[0]))) return;
  if (typeof at === 'object' && at !== null) {
    for (const [key, inner] of Object.entries(at)) yield* probesOf(whole, inner, [...keys, Array.isArray(at) ? Number(key) : key]);
    return;
  }
  if (typeof at !== 'string' && typeof at !== 'number') return;
  for (const value of typeof at === 'string' ? [badText, ...otherTexts] : numbers.filter((number) => number !== at)) {
    const object = structuredClone(whole) as unknown as Record<string | number, unknown>;
    let parent = object;
    for (const key of keys.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
    parent[keys.at(-1) ?? ''] = value;
    yield { keys, value, object: object as unknown as Value };
  }
}

function fieldOf(keys: readonly (string | number)[]): string {
  return keys.map((key, at) => (typeof key === 'number' ? `[${String(key)}]` : `${at === 0 ? '' : '.'}${key}`)).join('');
}

/** The struct and the field at a path; `name[]` for the items of a list. */
function placeOf(type: TypeNode | undefined, keys: readonly (string | number)[]): readonly [definition: string, field: string] | undefined {
  let at = type;
  for (const [index, key] of keys.entries()) {
    if (at?.form !== 'struct') {
      at = at?.values;
      continue;
    }
    const field = at.fields.get(String(key));
    const rest = keys.length - index - 1;
    if (rest === 0) return [at.definition, String(key)];
    if (rest === 1 && field?.form === 'list') return [at.definition, `${String(key)}[]`];
    at = field;
  }
  return undefined;
}

function syntaxOf(problem: string): ValueRule | undefined {
  const found = syntaxes.find((syntax) => nameProblems(badText, syntax)[0] === problem);
  if (found !== undefined) return { syntax: found };
  return qualifiedNameProblems(badText)[0] === problem ? { syntax: 'qualified' } : undefined;
}

/** The rule that a message implies; undefined if it implies none. */
function ruleOf(value: string | number, message: string): ValueRule | undefined {
  const options = /^Unsupported value: .*?: supported values: (.*)$/.exec(message)?.[1];
  if (options !== undefined) return { options: JSON.parse(`[${options}]`) as readonly string[] };
  const problem = /^Invalid value: .*?: (.*)$/s.exec(message)?.[1] ?? '';
  if (typeof value === 'string') return syntaxOf(problem);
  const [, low, high] = /(?:between|range) (\d+)(?: and |-)(\d+)/.exec(problem) ?? [];
  if (low !== undefined && high !== undefined) return { least: Number(low), most: Number(high), problem };
  const upper = /less than or equal to (\d+)|no more than (\d+)/.exec(problem);
  const most = upper?.[1] ?? upper?.[2];
  if (most !== undefined) return { most: Number(most), problem };
  const least = /greater than or equal to (\d+)/.exec(problem)?.[1];
  if (least !== undefined) return { least: Number(least), problem };
  if (/greater than (0|zero)/.test(problem)) return { least: 1, problem };
  return value === -1 && /negative/.test(problem) ? { least: 0, problem } : undefined;
}

const rules = new Map<string, Map<string, ValueRule[]>>();
/** Fields that accepted a wrong value in some object. */
const taken = new Set<string>();

function learn(whole: WholeObject, { keys, value }: Probe, { code, json }: Answered): void {
  const [version = '', group = ''] = whole.apiVersion.split('/').reverse();
  const place = placeOf(typeOf({ group, version, kind: whole.kind }), keys);
  if (place === undefined) return;
  const [definition, field] = place;
  if (code === 201) taken.add(`${definition}#${field}#${String(value)}`);
  if (typeof value === 'string' && value !== badText) return;
  const causes = (json.details?.causes ?? []).filter((cause) => cause.field === fieldOf(keys));
  const rule = code === 422 && causes.length === 1 ? ruleOf(value, causes[0]?.message ?? '') : undefined;
  if (rule === undefined) return;
  const fields = rules.get(definition) ?? new Map<string, ValueRule[]>();
  rules.set(definition, fields.set(field, [...(fields.get(field) ?? []), { ...rule, of: value }]));
}

const server = await startRealApiServer({ apiServerArgs: ['--disable-admission-plugins=ServiceAccount'] });
const asker = new Asker(server);
try {
  for (const object of wholeObjects()) {
    const whole = object as unknown as WholeObject;
    const probes = [...probesOf(object)];
    const answers = await Promise.all(probes.map((probe) => asker.post(pathOf(whole), JSON.stringify(probe.object))));
    for (const [at, answer] of answers.entries()) learn(whole, probes[at] as Probe, answer);
  }
} finally {
  asker.close();
  await server.close();
}

const sorted = [...rules]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([definition, fields]) => {
    const kept = [...fields].flatMap(([field, found]) => {
      const refusesTaken = (rule: ValueRule): boolean =>
        otherTexts.some((text) => taken.has(`${definition}#${field}#${text}`) && valueErrors(text, [rule]).length > 0);
      const sure = found
        .filter((rule) => !taken.has(`${definition}#${field}#${String(rule.of)}`) && !refusesTaken(rule))
        .map(({ of: _, ...rule }) => rule);
      const distinct = [...new Map(sure.map((rule) => [JSON.stringify(rule), rule])).values()];
      // A message that depends on the place of the struct is not a rule of its field.
      const sides = (['options', 'syntax', 'least', 'most'] as const).map(
        (side) => distinct.filter((rule) => rule[side] !== undefined).length,
      );
      return distinct.length === 0 || sides.some((count) => count > 1) ? [] : [[field, distinct] as const];
    });
    return [definition, Object.fromEntries(kept)] as const;
  });
const result = Object.fromEntries(sorted.filter(([, fields]) => Object.keys(fields).length > 0));
writeFileSync(new URL('schemas/fieldRules-1.36.json', import.meta.url), `${JSON.stringify(result, undefined, 2)}\n`);
console.log(`${String(Object.keys(result).length)} structs`);
