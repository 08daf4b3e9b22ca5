// Lists the files of src/ that run for one event of a warm watch, from the socket to a subscriber: the hot path.
//
//   npm run warm-files            lists them
//
// A server in a process of its own sends the event, of a pod of 8 kB; this process has V8 count the calls of every function while one event goes through.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { filter, firstValueFrom } from 'rxjs';
import { createClient, createInformer, resources } from 'rx-informer';

const src = new URL('../../src/', import.meta.url).href;
const limit = 20;
const warmUp = 300;

if (process.argv.includes('--server')) {
  const { startApiServer } = await import('@rx-informer/api-server');
  const server = await startApiServer();
  console.log(server.url);
  process.stdin.resume().on('end', () => void server.close());
} else {
  process.exitCode = (await count()) ? 0 : 1;
}

async function count(): Promise<boolean> {
  const server = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), '--server'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const writer = createClient({ server: url });
  const pods = resources.core.v1.pods;
  const env = Array.from({ length: 130 }, (_, at) => ({ name: `SETTING_${at}`, value: `the value of setting ${at}` }));
  await writer.create(pods, {
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'web', env }] },
  });
  const informer = createInformer(createClient({ server: url }), pods);
  await informer.whenSynced();
  // Sent with `fetch`, so that the write runs no file of src.
  const write = (turn: string): Promise<Response> =>
    fetch(`${url}/api/v1/namespaces/default/pods/web`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ metadata: { labels: { turn } } }),
    });
  for (let turn = 0; turn < warmUp; turn += 1) {
    const updated = firstValueFrom(informer.resource$.pipe(filter((event) => event.type === 'updated')), { defaultValue: undefined });
    await write(String(turn));
    await updated;
  }

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const seen: string[] = [];
  const subscription = informer.resource$.subscribe({ next: ({ type }) => seen.push(type), error: console.error });
  // Calls during the subscription do not count.
  await session.post('Profiler.takePreciseCoverage');
  const written = write('last');
  while (!seen.includes('updated')) await new Promise((resolve) => setImmediate(resolve));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await written;
  subscription.unsubscribe();
  await informer.stop();
  writer.close();
  server.stdin.end();

  const files = result
    .filter(({ url: file, functions }) => file.startsWith(src) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url: file }) => file.slice(src.length))
    .sort();
  for (const file of files) console.log(file);
  console.log(`${files.length} files run for one warm event of a watch; at most ${limit} are wanted`);
  return files.length <= limit;
}
