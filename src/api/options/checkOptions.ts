import { describeValue, expectArgument, type OptionRule, type OptionRules } from './optionRule.js';
import { similarTo } from './similarTo.js';

/**
 * Checks the options that a public function was given: an object, with names that the function knows and values as they have to be.
 *
 * It is the only validator of options: a misspelt name must never be passed by, since a wrong `namespace` would watch a whole cluster.
 *
 * @param owner - the function, as users call it.
 * @throws TypeError that names the option, what it should be and what it is, or the known name that is nearest to an unknown one.
 */
export function checkOptions<O extends object>(owner: string, options: O, rules: OptionRules<O>): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`Expected the options of \`${owner}\` to be an object, got ${describeValue(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof O] : undefined;
    if (rule === undefined) throw unknownOption(owner, name, Object.keys(rules));
    if (value !== undefined) expectArgument(owner, name, value, rule);
  }
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (rule.required === true && value === undefined) expectArgument(owner, name, value, rule);
  }
}

function unknownOption(owner: string, name: string, known: readonly string[]): TypeError {
  const hint = similarTo(name, known) || `; it has ${known.length === 0 ? 'none' : known.map((option) => `\`${option}\``).join(', ')}`;
  return new TypeError(`Unknown option \`${name}\` of \`${owner}\`${hint}`);
}
