/**
 * Long lists of the embedded API server beside a real one, each in a process of its own, in interleaved rounds. Both get the same objects over HTTP.
 * Needs etcd and kube-apiserver (`npm run real-api-server`) in the folder of KUBEBUILDER_ASSETS.
 *
 * `npm run bench -- longLists [objects] [rounds]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest, type RequestOptions } from 'node:https';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { startRealApiServer } from '@rx-informer/api-server';
import { compile, compiled } from './compile.js';
import { podJson, podNames } from './realisticPod.js';

const [objects = 5_000, rounds = 11] = process.argv.slice(2).map(Number);

interface Side {
  readonly name: string;
  readonly url: string;
  readonly secure: RequestOptions;
}

interface Read {
  readonly ms: number;
  readonly firstMs: number;
  readonly bytes: number;
}

const json = 'application/json';

/** Sends a request, and reads the answer to its end. */
function send({ url, secure }: Side, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Read> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https') ? secureRequest : plainRequest;
    const sent = request(`${url}${path}`, { ...secure, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      let bytes = 0;
      let firstMs = 0;
      answer.on('data', (part: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - begun;
        bytes += part.length;
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const { statusCode = 0 } = answer;
        if (statusCode >= 300) reject(new Error(`${path} was answered with ${String(statusCode)}`));
        else resolve({ ms: performance.now() - begun, firstMs, bytes });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Creates the objects, 32 at a time. */
async function fill(side: Side): Promise<void> {
  const headers = { 'content-type': json };
  const wanted = podNames(objects);
  for (const namespace of new Set(wanted.map((each) => each.namespace)))
    await send(side, '/api/v1/namespaces', headers, JSON.stringify({ metadata: { name: namespace } }));
  const worker = async (): Promise<void> => {
    for (let pod = wanted.pop(); pod !== undefined; pod = wanted.pop()) {
      const { status: _, metadata, ...rest } = JSON.parse(podJson(pod, 0, 1, true)) as Record<string, object>;
      const { name, namespace, labels, annotations } = metadata as Record<string, unknown>;
      const made = { ...rest, metadata: { name, namespace, labels, annotations } };
      await send(side, `/api/v1/namespaces/${pod.namespace}/pods`, headers, JSON.stringify(made));
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const reads: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  JSON: { accept: json },
  'JSON, gzip': { accept: json, 'accept-encoding': 'gzip' },
  'metadata alone': { accept: `${json};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1` },
  protobuf: { accept: 'application/vnd.kubernetes.protobuf' },
  table: { accept: `${json};as=Table;v=v1;g=meta.k8s.io` },
};

compile();
const embedded = fork(join(compiled, 'apiServerProcess.js'), ['0'], {
  execArgv: ['--expose-gc'],
  env: { ...process.env, NODE_ENV: 'production' },
});
const [port] = (await once(embedded, 'message')) as [number];
const real = await startRealApiServer();
const { ca, clientCert, clientKey } = real.credentials;
const agent = new Agent({ ca, cert: clientCert, key: clientKey, keepAlive: true, maxSockets: 32 });
const sides: readonly Side[] = [
  { name: 'embedded', url: `http://127.0.0.1:${String(port)}`, secure: {} },
  { name: `real ${real.version}`, url: real.url, secure: { agent } },
];
try {
  console.log(
    `node ${process.version}, ${String(cpus().length)} processors, load ${loadavg()
      .map((value) => value.toFixed(1))
      .join(' ')}`,
  );
  for (const side of sides) {
    const begun = performance.now();
    await fill(side);
    console.log(`${side.name}: ${String(objects)} pods created in ${((performance.now() - begun) / 1e3).toFixed(1)} s`);
  }
  for (const [what, headers] of Object.entries(reads)) {
    const times = sides.map(() => [] as Read[]);
    for (let round = 0; round < rounds; round += 1)
      for (const [at, side] of sides.entries()) times[at]?.push(await send(side, '/api/v1/pods', headers));
    const medians = times.map((each) => median(each.map(({ ms }) => ms)));
    for (const [at, { name }] of sides.entries()) {
      const all = times[at] ?? [];
      const each = all.map(({ ms }) => ms.toFixed(0)).join(' ');
      const firstMs = median(all.map((one) => one.firstMs)).toFixed(0);
      console.log(
        `${what.padEnd(16)} ${name.padEnd(14)} ${(medians[at] ?? NaN).toFixed(0).padStart(6)} ms, first byte ${firstMs} ms, ${String(all[0]?.bytes ?? 0)} bytes: ${each}`,
      );
    }
    const [ours = NaN, theirs = NaN] = medians;
    console.log(`${what.padEnd(16)} ${(ours / theirs).toFixed(2)} x real`);
  }
} finally {
  embedded.disconnect();
  agent.destroy();
  await real.close();
}
