import { Meter } from '../meter.js';

/** Fetches a list in one body and parses it, and nothing else. */
export async function run({ url }: { readonly url: string }): Promise<object> {
  const meter = new Meter();
  const response = await fetch(`${url}/api/v1/pods`);
  const list = JSON.parse(await response.text()) as { readonly items: unknown[] };
  const times = meter.times();
  return { ...times, ...meter.memory(), count: list.items.length };
}
