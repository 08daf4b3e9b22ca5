import { Meter } from '../meter.js';

const lookEveryMs = 20;

/** The result of `JSON.parse`. */
export interface HugeListJson {
  readonly wallMs: number;
  /** The peak memory above that at the start, in bytes. */
  readonly peak: number;
  readonly items: number;
  /** The failure; empty if there was none. */
  readonly failure: string;
}

/** Fetches a list in one body and parses it. Stops when the memory exceeds `maxBytes`. */
export async function run({ url, maxBytes }: { readonly url: string; readonly maxBytes: number }): Promise<HugeListJson> {
  const meter = new Meter();
  const start = process.memoryUsage.rss();
  const tooMuch = new Promise<never>((_, reject) => {
    setInterval(() => {
      if (process.memoryUsage.rss() > maxBytes) reject(new Error(`stopped at ${maxBytes / 1e9} GB`));
    }, lookEveryMs);
  });
  let items = 0;
  let failure = '';
  try {
    const parse = fetch(`${url}/api/v1/pods?resourceVersion=0&limit=500`).then((response) => response.json());
    items = ((await Promise.race([parse, tooMuch])) as { readonly items: unknown[] }).items.length;
  } catch (error) {
    failure = String(error);
  }
  return { wallMs: meter.times().wallMs, peak: process.resourceUsage().maxRSS * 1024 - start, items, failure };
}
