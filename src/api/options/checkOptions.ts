import { describeValue } from './describeValue.js';
import type { OptionRules } from './optionRule.js';
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
    if (value === undefined || rule.holds(value)) continue;
    const shown = rule.secret === true ? 'something else' : describeValue(value);
    throw new TypeError(`Expected \`${name}\` of \`${owner}\` to be ${rule.expected}, got ${shown}`);
  }
}

function unknownOption(owner: string, name: string, known: readonly string[]): TypeError {
  const hint = similarTo(name, known) || `; it has ${known.length === 0 ? 'none' : known.map((option) => `\`${option}\``).join(', ')}`;
  return new TypeError(`Unknown option \`${name}\` of \`${owner}\`${hint}`);
}
