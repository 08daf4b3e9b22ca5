/** A timestamp with six digits of seconds, as the server wants it. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
