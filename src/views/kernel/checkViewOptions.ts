import { checkOptions } from '../../api/options/checkOptions.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { ViewOptions } from '../viewOptions.js';

const viewRules: OptionRules<ViewOptions<never>> = {
  name: rules.nonEmptyString,
  equals: rules.function,
  labels: rules.function,
  indexers: rules.object,
  sliceSize: rules.number({ min: 1, infinite: true }),
  idleGraceMs: rules.durationMs,
  freeze: rules.boolean,
  logger: rules.withMethods('warn'),
  scheduler: rules.scheduler,
};

/**
 * Checks the options of a view; `more` are the rules of those that only this kind of view has.
 */
export function checkViewOptions<O extends object>(owner: string, options: O, more?: OptionRules<Omit<O, keyof ViewOptions<never>>>): void {
  checkOptions(owner, options, { ...viewRules, ...more } as unknown as OptionRules<O>);
}
