const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** The format for durations below `below`: in the unit `large`, with the rest in `small` below `withRest`. */
interface Band {
  readonly below: number;
  readonly large: readonly [number, string];
  readonly small?: readonly [number, string];
}

const bands: readonly Band[] = [
  { below: 2 * minute, large: [second, 's'] },
  { below: 10 * minute, large: [minute, 'm'], small: [second, 's'] },
  { below: 3 * hour, large: [minute, 'm'] },
  { below: 8 * hour, large: [hour, 'h'], small: [minute, 'm'] },
  { below: 2 * day, large: [hour, 'h'] },
  { below: 8 * day, large: [day, 'd'], small: [hour, 'h'] },
  { below: 2 * year, large: [day, 'd'] },
  { below: 8 * year, large: [year, 'y'], small: [day, 'd'] },
];

/**
 * A duration as kubectl's Age column shows it: `5s`, `3m12s`, `95m`, `2d4h`.
 */
export function humanDuration(durationMs: number): string {
  if (durationMs < -second) return '<invalid>';
  const positive = Math.max(0, durationMs);
  const { large, small } = bands.find(({ below }) => positive < below) ?? { large: [year, 'y'] as const, small: undefined };
  const whole = Math.floor(positive / large[0]);
  const rest = small === undefined ? 0 : Math.floor((positive - whole * large[0]) / small[0]);
  return rest === 0 ? `${String(whole)}${large[1]}` : `${String(whole)}${large[1]}${String(rest)}${small?.[1] ?? ''}`;
}
