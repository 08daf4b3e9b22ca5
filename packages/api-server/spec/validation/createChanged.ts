import type { Json, JsonObject } from '../../src/json.js';
import type { Target } from '../support/target.js';

/** An object that is valid, and where objects of its kind are. */
export interface Base {
  readonly path: string;
  readonly body: JsonObject;
}

/** The changes of an object, by path. */
export type Changes = Readonly<Record<string, Json | undefined>>;

/** The object to change, the rule in words, the change that violates it, and the expected errors: field and type of each, in any order. */
export type Rule = readonly [base: string, words: string, changes: Changes, said: readonly string[]];

function withValue(body: Json | undefined, [step = '', ...steps]: readonly string[], value: Json | undefined): JsonObject {
  const own = (body ?? {}) as JsonObject;
  return { ...own, [step]: steps.length === 0 ? value : withValue(own[step], steps, value) };
}

/** The code and the findings that creating a changed object is answered with. Nothing is stored. */
export async function createChanged(
  target: Target,
  { path, body }: Base,
  changes: Changes,
): Promise<readonly [code: number, said: readonly string[]]> {
  const changed = Object.entries(changes).reduce((object, [at, value]) => withValue(object, at.split('.'), value), body);
  const { code, json } = await target.request(`${path}?dryRun=All`, { method: 'POST', body: changed });
  const { causes = [] } = (json['details'] ?? {}) as { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  const said = causes.map(({ field, message }) => `${field}: ${message.replace(/:.*/s, '')}`);
  return [code, [...new Set(said)].sort()];
}
