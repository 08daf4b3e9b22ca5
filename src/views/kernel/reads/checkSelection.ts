import { describeValue } from '../../../api/options/describeValue.js';
import type { ReadSelection } from '../../read.js';

const types: Readonly<Record<string, string>> = { namespace: 'string', filter: 'function' };

/**
 * @throws TypeError when a condition of `read` is unknown, undefined or of a wrong type.
 */
export function checkSelection(selection: ReadSelection<never>): void {
  for (const name in selection) {
    const value: unknown = selection[name as keyof typeof selection];
    if (name === 'labelSelector') {
      if (value !== undefined) continue;
      throw new TypeError(
        'Expected `labelSelector` of `read` to be a selector, got undefined; leave it out to read everything, or use `none`',
      );
    }
    const expected = types[name];
    if (expected === undefined)
      throw new TypeError(`Unknown condition \`${name}\` of \`read\`; it has \`namespace\`, \`labelSelector\` and \`filter\``);
    if (typeof value !== expected)
      throw new TypeError(`Expected \`${name}\` of \`read\` to be a ${expected}, got ${describeValue(value)}; leave it out for all`);
  }
}
