/** A timestamp with six digits of seconds, as servers require. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
