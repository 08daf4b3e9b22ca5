import { refuse } from '../cliError.js';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `20s`, `500ms` or `1m30s`, in milliseconds. */
export function parseDuration(text: string): number {
  const parts = /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text) ? text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g) : undefined;
  if (parts === undefined) refuse('a duration such as 20s, 500ms or 1m30s', text);
  return [...parts].reduce((sum, [, amount = '0', unit = 's']) => sum + Number(amount) * (units[unit] ?? 0), 0);
}
