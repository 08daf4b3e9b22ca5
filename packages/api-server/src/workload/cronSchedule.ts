/** The minutes of a schedule such as `0 8 * * 1-5`: for each of the five fields, the numbers that match. */
export interface CronSchedule {
  /** Whether a minute, in milliseconds since 1970, belongs to the schedule. */
  matches(ms: number): boolean;
}

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const names: Readonly<Record<string, number>> = Object.fromEntries([
  ...'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((name, at) => [name, at + 1] as const),
  ...'sun mon tue wed thu fri sat'.split(' ').map((name, at) => [name, at] as const),
]);

/** The smallest and the largest minute, hour, day of the month, month and day of the week. */
export const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

function numberOf(text: string): number {
  return names[text.toLowerCase()] ?? Number(text);
}

/** The numbers of one field, for example `1-5,10-20/2`. */
function numbersOf(field: string, [least, most]: readonly [number, number]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '*', every = '1'] = part.split('/');
    const isAny = range === '*' || range === '?';
    const [from = '', to = part.includes('/') ? String(most) : from] = isAny ? [String(least), String(most)] : range.split('-');
    for (let at = numberOf(from); at <= numberOf(to); at += Number(every)) found.add(at);
  }
  return found;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Minute, hour, day, month and weekday in a time zone. */
function partsIn(timeZone: string, ms: number): readonly number[] {
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ timeZone, hourCycle: 'h23', weekday: 'short' } as const),
    ...({ minute: 'numeric', hour: 'numeric', day: 'numeric', month: 'numeric' } as const),
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return [
    ...(['minute', 'hour', 'day', 'month'] as const).map((type) => Number(parts.get(type))),
    weekdays.indexOf(parts.get('weekday') ?? ''),
  ];
}

/** The schedule of a CronJob. */
export function cronSchedule(text: string, timeZone = 'UTC'): CronSchedule {
  const fields = (macros[text] ?? text).trim().split(/\s+/);
  const sets = fields.map((field, at) => numbersOf(field, ranges[at] ?? [0, 0]));
  return {
    matches: (ms) => {
      const [minute = 0, hour = 0, day = 0, month = 0, weekday = 0] = partsIn(timeZone, ms);
      const [minutes, hours, days, months, onWeekdays] = sets;
      if (minutes?.has(minute) !== true || hours?.has(hour) !== true || months?.has(month) !== true) return false;
      const onSunday = weekday === 0 && onWeekdays?.has(7) === true;
      const [byDay, byWeekday] = [days?.has(day) === true, onSunday || onWeekdays?.has(weekday) === true];
      // If both are limited, one of them is enough.
      return fields[2] === '*' || fields[4] === '*' ? byDay && byWeekday : byDay || byWeekday;
    },
  };
}
