// `npm run test:clients`: what other clients do with an API server.
//
//   npm run test:clients                          all of them, against an embedded server; prints counts, and what was not run, and why
//   npm run test:clients -- client-go python      some of them
//   npm run test:clients -- --write               the same, and writes workshop/reports/runs/clients and the table of workshop/reports/clients.md
//   API_SERVER=real npm run test:clients          against a real one, see npm run test:real
//
//   KUBECTLS=a/kubectl:b/kubectl npm run test:clients -- kubectl    kubectl by more versions than that of the PATH
//
// Each comes from the registry of its language, where that can be reached, and is kept in node_modules/.cache/clients.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEitherApiServer, startWorkload } from '@rx-informer/api-server';
import type { ClientRun } from './clients/clientRun.js';
import type { ClientSuite } from './clients/clientSuite.js';
import { clientSuites } from './clients/clientSuites.js';
import { NotRun, runClientSuite } from './clients/runClientSuite.js';
import { runKubectl } from './clients/runKubectl.js';
import { writeClientTable } from './clients/writeClientTable.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = `${root}workshop/reports/runs/clients`;

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean', default: false } }, allowPositionals: true });
const names = [...clientSuites.map(({ name }) => name), 'kubectl'];
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) throw new TypeError(`Expected one of ${names.join(', ')}, got ${unknown}`);

async function runAgainstServer(suite: ClientSuite): Promise<ClientRun> {
  let server = 'embedded';
  const withServer = async (run: (kubeconfig: string) => Promise<void>): Promise<void> => {
    const running = await startEitherApiServer({ embedded: { tls: true }, real: { controllerManager: ['namespace', 'garbagecollector'] } });
    if ('version' in running) server = String(running.version);
    const workload = suite.workload === true ? await startWorkload(running.client, { kubelet: { crashRate: 0 } }) : undefined;
    await run(running.kubeconfigPath).finally(async () => {
      await workload?.stop();
      await running.close();
    });
  };
  const done = await runClientSuite(suite, `${root}workshop/tools/clients`, `${root}node_modules/.cache/clients`, withServer);
  const { client, what } = suite;
  const { version, passed, skipped, failed } = done;
  return { client, version, what, server, date: new Date().toISOString().slice(0, 10), passed, skipped, failed };
}

function show(name: string, { version, passed, skipped, failed }: ClientRun): void {
  const counts = `${String(passed)} passed, ${String(failed.length)} failed${skipped === 0 ? '' : `, ${String(skipped)} left out by itself`}`;
  console.log(`${name.padEnd(26)} ${version.padEnd(10)} ${counts}`);
  for (const failure of failed) console.log(`  ${failure.case}: ${failure.why}`);
}

/** Runs one suite; returns nothing if it cannot be run here. */
async function runsOf(suite: ClientSuite): Promise<readonly ClientRun[]> {
  try {
    return [await runAgainstServer(suite)];
  } catch (error) {
    if (!(error instanceof NotRun)) throw error;
    console.log(`${suite.name.padEnd(26)} not run: ${error.message}`);
    return [];
  }
}

function keep(name: string, runs: readonly ClientRun[]): void {
  for (const run of runs) {
    show(name, run);
    if (run.failed.length > 0) process.exitCode = 1;
    if (!values.write) continue;
    mkdirSync(results, { recursive: true });
    const file = name === 'kubectl' ? `${name}-${run.version}` : name;
    writeFileSync(`${results}/${file}-${run.server}.json`, `${JSON.stringify(run, undefined, 2)}\n`);
  }
}

const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
for (const suite of clientSuites) if (wanted(suite.name)) keep(suite.name, await runsOf(suite));
// The kubectl specs start an embedded server themselves.
if (wanted('kubectl') && process.env['API_SERVER'] !== 'real') {
  const runs = runKubectl(root);
  if (runs.length === 0) console.log(`${'kubectl'.padEnd(26)} not run: kubectl is not installed`);
  keep('kubectl', runs);
}
if (values.write) writeClientTable(root);
