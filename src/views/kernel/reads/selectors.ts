import type { LabelSelector } from '../../../api/selectors/labelSelector.js';
import { describeValue } from '../../../api/options/describeValue.js';
import { parseLabelSelector } from '../../../api/selectors/parseLabelSelector.js';
import type { ReadSelection } from '../../read.js';

/** What a label selector may be given as; `none` has been dealt with. */
export type GivenSelector = Exclude<ReadSelection<never>['labelSelector'], symbol | undefined>;

/** Whether these are labels to be equal to, as in the spec of a Service, and not an object with `matchLabels`. */
function isLabels(given: object): given is Readonly<Record<string, string>> {
  const values = Object.values(given);
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function isParsed(given: GivenSelector): given is LabelSelector {
  return typeof given === 'object' && 'requirements' in given && typeof given.requirements === 'object';
}

/**
 * A text that is the same for the same selector, without parsing it.
 */
export function selectorId(given: GivenSelector): string {
  return isParsed(given) ? `parsed ${given.toString()}` : JSON.stringify(given);
}

/**
 * Parses what `read` was given as a label selector.
 *
 * @throws TypeError when it is none.
 */
export function parseSelection(given: GivenSelector): LabelSelector {
  if (typeof given === 'string') return parseLabelSelector(given);
  if (typeof given !== 'object' || (given as unknown) === null) {
    throw new TypeError(
      `Expected \`labelSelector\` to be a text, labels, a selector or \`none\`, got ${describeValue(given)}; leave it out to read everything, or use \`none\``,
    );
  }
  if (isParsed(given)) return given;
  if ('matches' in given && typeof (given as { matches: unknown }).matches === 'function')
    throw new TypeError('Expected `labelSelector` to have `requirements`');
  if (isLabels(given)) return parseLabelSelector({ matchLabels: given });
  const unknown = Object.keys(given).find((name) => name !== 'matchLabels' && name !== 'matchExpressions');
  if (unknown !== undefined) {
    throw new TypeError(`Expected \`labelSelector\` to be a text, labels, matchLabels or matchExpressions, got an object with ${unknown}`);
  }
  return parseLabelSelector(given);
}
