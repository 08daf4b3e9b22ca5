import { Meter } from '../meter.js';
import { post } from '../post.js';
import type { Figures } from '../runSide.js';
import { type Reader, readers } from './readers.js';

/** The options of a side in the comparison of traffic. */
export interface TrafficSideOptions {
  /** The server's URL of this kind of traffic, including the path of its resource. */
  readonly url: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly warmUp: number;
  readonly events: number;
  /** The parts of each object that are read when it arrives. */
  readonly reader?: Reader;
}

/** The number of cold events of a process: the first ones after its first list, whose objects its subscriber has received. */
const coldEvents = 2_000;

/**
 * Measures one side: its first list, what it retains then, its time per event of the watch, cold, warm and over the whole run, and what it retains at
 * the end.
 *
 * @param hello - makes one request, of an empty list at this URL: what a side loads with its first request is not in the time of its list.
 * @param list - subscribes, which calls `seen` with each object of the first list, and resolves when all are there.
 * @param watch - from now on, the object of each event of the watch goes to `seen`.
 */
export async function trafficSide(
  { url, warmUp, events, reader = 'metadata' }: TrafficSideOptions,
  hello: (url: string) => Promise<unknown>,
  list: (seen: (object: object) => void) => Promise<unknown>,
  watch: (seen: (object: object) => void) => void,
): Promise<Figures> {
  await hello(`${new URL(url).origin}/paged/0`);
  const whole = new Meter();
  const read = readers[reader];
  let found = 0;
  await list((object) => {
    found += read(object);
  });
  const { wallMs: listWallMs, cpuMs: listMs } = whole.times();
  const { retainedHeap: listHeap = NaN, retainedExternal: listExternal = NaN } = whole.memory();
  const meter = new Meter();
  const cold = Math.min(warmUp, coldEvents);
  let [coldMs, warmUpMs] = [NaN, NaN];
  const times = await new Promise<ReturnType<Meter['times']>>((resolve, reject) => {
    let count = 0;
    watch((object) => {
      found += read(object);
      count += 1;
      if (count === cold) coldMs = meter.times().cpuMs;
      if (count === warmUp) {
        warmUpMs = meter.times().cpuMs;
        meter.restart();
      }
      if (count === warmUp + events) resolve(meter.times());
    });
    const { origin, pathname } = new URL(url);
    post(`${origin}/send${pathname}`).catch(reject);
  });
  const { retainedHeap: heap = NaN, retainedExternal: external = NaN } = whole.memory();
  if (found === 0) throw new Error('Expected something to be read of the objects, got nothing');
  const [eventUs, coldUs] = [(times.cpuMs * 1000) / events, (coldMs * 1000) / cold];
  const runUs = ((warmUpMs + times.cpuMs) * 1000) / (warmUp + events);
  return { listMs, listWallMs, listHeap, listExternal, eventUs, coldUs, runUs, wallMs: times.wallMs, heap, external };
}
