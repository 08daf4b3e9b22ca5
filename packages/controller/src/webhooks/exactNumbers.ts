/** Whole numbers that JavaScript rounds, as they were sent, by what they are rounded to. */
export type ExactNumbers = ReadonlyMap<number, string>;

/** The numbers of a JSON text that JavaScript rounds. Two that become one cannot be told apart, and are left out. */
export function exactNumbers(text: string): ExactNumbers {
  const sent = new Map<number, string>();
  for (const [, token = ''] of text.matchAll(/[:,[]\s*(-?\d{16,})(?=\s*[,\]}])/g)) {
    const value = Number(token);
    sent.set(value, (sent.get(value) ?? token) === token ? token : '');
  }
  return new Map([...sent].filter(([, token]) => token !== ''));
}

/** A value as JSON, with the numbers as they were sent. */
export function jsonOf(value: unknown, exact: ExactNumbers): string {
  if (exact.size === 0) return JSON.stringify(value);
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' && exact.has(each) ? `${mark}${exact.get(each)}` : each,
  );
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
