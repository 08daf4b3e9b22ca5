import { checkOptions } from '../api/options/checkOptions.js';
import { describeValue } from '../api/options/describeValue.js';
import type { OptionRules } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';

type Handler = Readonly<Partial<Record<'onAdd' | 'onUpdate' | 'onDelete', unknown>>>;

const handlerRules: OptionRules<Handler> = { onAdd: rules.function, onUpdate: rules.function, onDelete: rules.function };

/**
 * Checks the functions of a handler. An instance of a class may have whatever else it needs.
 *
 * @throws TypeError that names what is wrong.
 */
export function checkHandler(owner: string, handler: Handler): void {
  const given: unknown = handler;
  if (!rules.object.holds(given)) {
    throw new TypeError(
      `Expected the handler of \`${owner}\` to be an object with onAdd, onUpdate or onDelete, got ${describeValue(given)}`,
    );
  }
  const { onAdd, onUpdate, onDelete } = handler;
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(given) as object | null);
  checkOptions<Handler>(owner, isPlain ? handler : { onAdd, onUpdate, onDelete }, handlerRules);
}
