import type { WarningCode } from './warning.js';

/** The result of a rule: a warning without its subject and its link. */
export type Finding = readonly [code: WarningCode, message: string, remedy: string];

export type Found = Finding | undefined | false;

/** A time in words. */
export const seconds = (ms: number): string => {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
};

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The first five names, and how many more there are. */
export const named = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

/** Whether a figure has grown from each observation to the next, and from the first to the last. At least four observations are compared. */
export function hasGrown(figures: readonly number[]): boolean {
  return figures.length >= 4 && figures.every((figure, at) => at === 0 || figure > (figures[at - 1] ?? 0));
}
