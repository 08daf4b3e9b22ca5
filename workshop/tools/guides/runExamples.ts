// Runs every `ts` example of the guides and of the comments in src, as a reader could paste it into a file: against an embedded API server with a living workload, for a second each. An example
// that ends in an error, or that the library warns of (a lister read too early, an error that nobody observes), fails. It uses the package in dist.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { parse as parseYaml, stringify } from 'yaml';
import { createInformer, resources, type V1CustomResourceDefinition } from 'rx-informer';
import { accessReviews, createRelay } from '@rx-informer/relay';
import { configMap, deployment, objectOf } from 'rx-informer/testing';
import { startApiServer, startWorkload, type TestApiServer } from '@rx-informer/api-server';
import { examples, type Example } from './examplesOf.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const work = join(root, 'workshop/.examples');
/** From the start of the process, which takes most of it. */
const lastsMs = 2_500;
/** The timeout for programs that end by themselves. */
const maxMs = 60_000;

/** Declarations that examples assume, and browser APIs. */
const declared = `import 'fake-indexeddb/auto';
globalThis.pod = { metadata: { generateName: 'declared-', namespace: 'default' }, spec: { containers: [{ name: 'main', image: 'x' }] } };
globalThis.upload = () => Promise.resolve();
globalThis.lines = ['{"recording":1,"startedAt":"2026-01-01T00:00:00Z"}'];
`;
/** Replaces the imports of tests, to run them without jest. */
const jestGlobals = "export { expect } from 'expect';\nexport { afterEach, beforeEach, it } from 'node:test';\n";

/** The folder of a page's programs; every package has a README.md. */
const folderOf = (file: string): string => (basename(file) === 'README.md' ? file.replaceAll('/', '-') : parse(file).name);

/** The program to run for an example: with real values for the names that the page assumes. */
async function programOf(code: string, url: string, relayUrl: string): Promise<string> {
  const program = code
    // A page sends requests to its own server.
    .replace(/(relaySource[^(]*\()'\/relay'/g, `$1'${relayUrl}'`)
    // The address at which a page's development server would proxy requests to the API server.
    .replaceAll('http://localhost:5173', url)
    .replaceAll('https://inventory.example/nodes', `${url}/api/v1/nodes`)
    .replaceAll('https://metrics.example/apis/metrics.k8s.io/v1beta1/pods', `${url}/api/v1/pods`)
    .replaceAll("'@jest/globals'", "'../jestGlobals.js'");
  return (await transform(program, { loader: 'ts', format: 'esm' })).code;
}

/** Writes the examples that name their file, for imports by others. */
async function writeNamed(all: readonly Example[], url: string, relayUrl: string): Promise<void> {
  for (const { file, code } of all) {
    const [, name] = /^\/\/ (\w+)\.ts\n/.exec(code) ?? [];
    await mkdir(join(work, folderOf(file)), { recursive: true });
    if (name !== undefined) await writeFile(join(work, folderOf(file), `${name}.js`), await programOf(code, url, relayUrl));
  }
}

/** The error within the time limit; undefined when the program still runs or has ended successfully. */
async function problemOf(example: Example, kubeconfig: string, url: string, relayUrl: string): Promise<string | undefined> {
  const { line, code } = example;
  const file = join(work, folderOf(example.file), `line-${String(line)}.js`);
  await writeFile(file, await programOf(code, url, relayUrl));
  const ends = /@jest\/globals|await server\.close\(\);/.test(code);
  // Wait until a watch is open, however long that takes.
  const shows = /health\$\.subscribe\(.*console\.log\(state/.test(code);
  const child = spawn(process.execPath, ['--import', join(work, 'declared.js'), file], {
    cwd: work,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (shows && printed.includes('watching')) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), ends || shows ? maxMs : lastsMs);
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  // The address printed by an inspector is no complaint, nor are warnings about faults that the program injects, and the wait for a certificate.
  const harmless = /^(http:\/\/127\.0\.0\.1:\d+\/#token=\S+|webhooks: ENOENT: .*tls\.crt')\n/gm;
  const complaints = code.includes('faults.inject') ? '' : said.replace(harmless, '');
  if (shows && !printed.includes('watching')) return `does not get to watch\n${printed}`;
  return complaints === '' && (status === 0 || (status === null && !ends)) ? undefined : `ended with ${String(status)}\n${said}`;
}

/** Creates the objects that the pages mention, and a kubeconfig with the contexts that they name; returns its path. */
async function prepare({ client, kubeconfig: text, objects }: TestApiServer): Promise<string> {
  const definition = parseYaml(await readFile(join(root, 'examples/website-operator/crd.yaml'), 'utf8')) as V1CustomResourceDefinition;
  await client.create(resources.apiextensions.v1.customresourcedefinitions, definition);
  for (const name of ['shop', 'bank', 'websites']) await client.create(resources.core.v1.namespaces, { metadata: { name } });
  const policy = objectOf(resources.networking.v1.networkpolicies, 'web', { spec: { podSelector: {}, ingress: [{}] } });
  const job = objectOf(resources.batch.v1.jobs, 'backup', {});
  const service = objectOf(resources.core.v1.services, 'site', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
  objects.put([configMap('settings', { data: { size: '1' } }), configMap('site'), deployment('web'), policy, job, service]);
  await writeFile(join(work, 'pods.ndjson'), '{"recording":1,"startedAt":"2026-01-01T00:00:00Z"}\n');
  const config = parseYaml(text) as {
    readonly clusters: readonly { readonly cluster: object }[];
    readonly contexts: readonly { readonly name: string }[];
  };
  // client-node accepts plain HTTP only with this setting.
  const clusters = config.clusters.map((each) => ({ ...each, cluster: { ...each.cluster, 'insecure-skip-tls-verify': true } }));
  const contexts = ['east', 'west', 'eu', 'us', 'kind-kind'].map((name) => ({ ...config.contexts[0], name }));
  const path = join(work, 'kubeconfig');
  await writeFile(path, stringify({ ...config, clusters, contexts: [...config.contexts, ...contexts] }));
  return path;
}

await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
await writeFile(join(work, 'declared.js'), declared);
await writeFile(join(work, 'jestGlobals.js'), jestGlobals);
// followGuide runs these guides literally. The last one needs etcd and kube-apiserver: `npm run test:real` has them.
const notHere = ['getting-started.md', 'first-operator.md', 'live-table.md', 'startRealApiServer.ts'];
/** Whether a comment's example declares something of its reader's, which is not here: it is compiled only. */
const declares = ({ file, code }: Example): boolean => file.endsWith('.ts') && /^declare (?:const|function)/m.test(code);
const all = examples.filter((example) => example.language === 'ts' && !notHere.includes(basename(example.file)) && !declares(example));
// Programs with a fixed port run one after the other.
const withPort = all.filter(({ code }) => code.includes('8080'));
const waiting = all.filter((example) => !withPort.includes(example));
const server = await startApiServer();
const workload = await startWorkload(server.client);
const kubeconfig = await prepare(server);
const { pods } = resources.core.v1;
const informer = createInformer(server.client, pods);
const relay = createRelay({
  sources: { pods: { collection: informer, resource: pods } },
  authenticate: () => ({ name: 'ada' }),
  authorize: accessReviews(server.client),
});
const relayServer = createServer((request, response) => relay.handle(request, response)).listen(0, '127.0.0.1');
await once(relayServer, 'listening');
const relayUrl = `http://127.0.0.1:${String((relayServer.address() as AddressInfo).port)}/relay`;
await writeNamed(all, server.url, relayUrl);
const next = async (): Promise<void> => {
  for (let example = waiting.shift(); example !== undefined; example = waiting.shift()) {
    const problem = await problemOf(example, kubeconfig, server.url, relayUrl);
    if (problem === undefined) continue;
    console.error(`${example.file}:${String(example.line)} ${problem}`);
    process.exitCode = 1;
  }
};
await Promise.all([next(), next(), next(), next()]);
waiting.push(...withPort);
await next();
relay.stop();
relayServer.closeAllConnections();
relayServer.close();
await informer.stop();
await workload.stop();
await server.close();
console.log(`${String(all.length)} examples run`);
