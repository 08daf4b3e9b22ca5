import { getBytes } from '../getBytes.js';
import { Meter } from '../meter.js';

/** Reads a list and discards it: the speed of the server. */
export async function run({ url }: { readonly url: string }): Promise<object> {
  const meter = new Meter();
  let bytes = 0;
  await getBytes(`${url}/api/v1/pods`, (chunk) => (bytes += chunk.length));
  const times = meter.times();
  return { ...times, megabytesPerSecond: bytes / 1e3 / times.wallMs, bytes };
}
