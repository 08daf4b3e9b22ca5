/** Formats a number with about three digits. */
export function short(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(magnitude >= 10 ? 1 : 2);
}

export const seconds = (ms: number): string => `${short(ms / 1000)} s`;
export const micros = (us: number): string => `${short(us)} us`;
export const megabytes = (bytes: number): string => `${short(bytes / 1e6)} MB`;
export const kilobytes = (bytes: number): string => `${short(bytes / 1e3)} kB`;

/** A ratio of wall times and of CPU times; CPU time is more reliable on a shared machine. */
export const ratio = (wall: number, cpu: number): string => `${short(wall)} x (cpu ${short(cpu)} x)`;
