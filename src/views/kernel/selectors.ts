import type { LabelSelector, LabelSelectorObject } from '../../api/selectors/labelSelector.js';
import { describeValue } from '../../api/options/describeValue.js';
import { parseLabelSelector } from '../../api/selectors/parseLabelSelector.js';
import type { ReadSelection } from '../read.js';

/** What a label selector may be given as; `none` has been dealt with. */
type Given = Exclude<ReadSelection<never>['labelSelector'], symbol | undefined>;

/**
 * A label selector, and the text that is the same for equal ones.
 */
export interface ParsedSelector {
  readonly selector: LabelSelector;
  readonly text: string;
}

const parsed = new WeakMap<object, ParsedSelector>();

/** Whether these are labels to be equal to, as in the spec of a Service, and not an object with `matchLabels`. */
function isLabels(given: object): given is Readonly<Record<string, string>> {
  const values = Object.values(given);
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function parse(given: Given): ParsedSelector {
  if (typeof given === 'object' && 'requirements' in given)
    return { selector: given as LabelSelector, text: (given as LabelSelector).toString() };
  if (typeof given === 'object' && 'matches' in given) throw new TypeError('Expected `labelSelector` to have `requirements`');
  const unknown =
    typeof given === 'object' && !isLabels(given)
      ? Object.keys(given).find((name) => name !== 'matchLabels' && name !== 'matchExpressions')
      : undefined;
  if (unknown !== undefined) {
    throw new TypeError(`Expected \`labelSelector\` to be a text, labels, matchLabels or matchExpressions, got an object with ${unknown}`);
  }
  const object: string | LabelSelectorObject = typeof given === 'object' && isLabels(given) ? { matchLabels: given } : given;
  const selector = parseLabelSelector(object);
  return { selector, text: selector.toString() };
}

/**
 * Parses what `read` was given as a label selector; objects, which caches keep, are parsed once.
 *
 * @throws TypeError when it is none.
 */
export function parseSelection(given: Given): ParsedSelector {
  if (typeof given === 'string') return parse(given);
  if (typeof given !== 'object' || (given as unknown) === null) {
    throw new TypeError(
      `Expected \`labelSelector\` to be a text, labels, a selector or \`none\`, got ${describeValue(given)}; leave it out to read everything, or use \`none\``,
    );
  }
  let known = Object.isFrozen(given) ? parsed.get(given) : undefined;
  if (known === undefined) {
    known = parse(given);
    if (Object.isFrozen(given)) parsed.set(given, known);
  }
  return known;
}
