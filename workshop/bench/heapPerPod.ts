// Prints the bytes of heap that an informer uses per pod: the objects pass the client, the decoder, the cache and one index.
//
// node --expose-gc --import ./workshop/tools/register-ts-node.mjs workshop/bench/heapPerPod.ts
import { podJson, podNames, type PodName } from './realisticPod.js';
import { createClient, createInformer, resources, type SharedInformer } from 'rx-informer';

const pods = 7_000;

/** A server without a network: one list, and a watch without events. */
function answer(url: string, names: readonly PodName[], signal: AbortSignal | null | undefined): Response {
  const headers = { 'content-type': 'application/json' };
  const query = new URL(url).searchParams;
  if (query.has('sendInitialEvents')) {
    return new Response('{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422}', { status: 422, headers });
  }
  const encoder = new TextEncoder();
  let at = 0;
  const list = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const name = names[at];
      const head = at === 0 ? '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[' : ',';
      if (name === undefined) {
        controller.enqueue(encoder.encode(']}'));
        controller.close();
      } else {
        controller.enqueue(encoder.encode(head + podJson(name, 0, at + 1, false)));
        at += 1;
      }
    },
  });
  const quiet = new ReadableStream<Uint8Array>({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  });
  return new Response(query.has('watch') ? quiet : list, { headers });
}

async function synced(count: number): Promise<SharedInformer<object>> {
  const names = podNames(count);
  const client = createClient({
    server: 'http://localhost',
    fetch: (input, init) => Promise.resolve(answer(input as string, names, init?.signal)),
  });
  const informer = createInformer(client, resources.core.v1.pods, { onError: () => 'retry' });
  await informer.whenSynced();
  return informer;
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// A first run compiles the code and allocates what all runs share, so that the second run measures the objects alone.
await (await synced(500)).stop();
const before = heap();
const informer = await synced(pods);
const after = heap();
const cached = informer.indexer.list().length;
if (cached !== pods) throw new Error(`Expected ${pods} pods in the cache, got ${cached}`);
console.log((after - before) / pods);
process.exit();
