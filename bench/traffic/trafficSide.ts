import { Meter } from '../meter.js';
import { post } from '../post.js';
import type { Figures } from '../runSide.js';

/**
 * What a side in the comparison of traffic is told.
 */
export interface TrafficSideOptions {
  /** The server's URL of this kind of traffic, and the path of its resource. */
  readonly url: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly warmUp: number;
  readonly events: number;
}

/**
 * Measures one side: its first list, what it retains then, its time per event of the watch, and what it retains at the end.
 *
 * @param hello - makes one request, of an empty list at this URL: what a side loads with its first request is not in the time of its list.
 * @param list - resolves when the first list is there.
 * @param watch - begins to call `seen` for each event of the watch.
 */
export async function trafficSide(
  { url, warmUp, events }: TrafficSideOptions,
  hello: (url: string) => Promise<unknown>,
  list: () => Promise<void>,
  watch: (seen: () => void) => void,
): Promise<Figures> {
  await hello(`${new URL(url).origin}/paged/0`);
  const whole = new Meter();
  await list();
  const { wallMs: listWallMs, cpuMs: listMs } = whole.times();
  const { retainedHeap: listHeap = NaN, retainedExternal: listExternal = NaN } = whole.memory();
  const meter = new Meter();
  const times = await new Promise<ReturnType<Meter['times']>>((resolve, reject) => {
    let count = 0;
    watch(() => {
      count += 1;
      if (count === warmUp) meter.restart();
      if (count === warmUp + events) resolve(meter.times());
    });
    const { origin, pathname } = new URL(url);
    post(`${origin}/send${pathname}`).catch(reject);
  });
  const { retainedHeap: heap = NaN, retainedExternal: external = NaN } = whole.memory();
  return { listMs, listWallMs, listHeap, listExternal, eventUs: (times.cpuMs * 1000) / events, wallMs: times.wallMs, heap, external };
}
