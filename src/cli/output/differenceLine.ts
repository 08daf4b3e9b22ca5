import type { Difference } from './differencesOf.js';
import { printable, printableJson } from './printable.js';
import type { Line } from './span.js';

/** More of a value than this is of no use to a reader. */
const longest = 200;

function shown(value: unknown): string {
  const text = printableJson(value ?? null);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** A difference for people: `+` came, `-` went, `~` is another one now. */
export function differenceLine(difference: Difference): Line {
  const path = printable(difference.path);
  if (!('before' in difference)) return [{ text: `+ ${path}: ${shown(difference.after)}`, style: 'green' }];
  if (!('after' in difference)) return [{ text: `- ${path}: ${shown(difference.before)}`, style: 'red' }];
  const { before, after } = difference;
  return [{ text: `~ ${path}: `, style: 'yellow' }, { text: shown(before), style: 'red' }, ' → ', { text: shown(after), style: 'green' }];
}
