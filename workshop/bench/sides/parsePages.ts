import { Meter } from '../meter.js';

/**
 * Fetches a list in pages and parses each: nothing else. A list of 100,000 pods is longer than a string may be.
 */
export async function run({ url }: { readonly url: string }): Promise<object> {
  const meter = new Meter();
  const items: unknown[] = [];
  let token = '';
  do {
    const response = await fetch(`${url}/api/v1/pods?limit=500&continue=${token}`);
    const list = JSON.parse(await response.text()) as { readonly metadata: { readonly continue?: string }; readonly items: unknown[] };
    items.push(...list.items);
    token = list.metadata.continue ?? '';
  } while (token !== '');
  return { ...meter.times(), ...meter.memory(), count: items.length };
}
