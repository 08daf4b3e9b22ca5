// `npm run test:clients`: what other clients do with an API server.
//
//   npm run test:clients                          all of them, against an embedded server; prints counts, and what was not run, and why
//   npm run test:clients -- client-go python      some of them
//   npm run test:clients -- --write               the same, and writes docs/runs/clients and the table of docs/api-server.md
//   API_SERVER=real npm run test:clients          against a real one, see npm run test:real
//
// Each comes from the registry of its language, where that can be reached, and is kept in node_modules/.cache/clients.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEitherApiServer } from '../src/testing/startEitherApiServer.js';
import type { ClientRun } from './clients/clientRun.js';
import type { ClientSuite } from './clients/clientSuite.js';
import { clientSuites } from './clients/clientSuites.js';
import { NotRun, runClientSuite } from './clients/runClientSuite.js';
import { writeClientTable } from './clients/writeClientTable.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = `${root}docs/runs/clients`;

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean', default: false } }, allowPositionals: true });
const names = clientSuites.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) throw new TypeError(`Expected one of ${names.join(', ')}, got ${unknown}`);

async function runAgainstServer(suite: ClientSuite): Promise<ClientRun> {
  const server = await startEitherApiServer({ embedded: { tls: true }, real: { controllerManager: ['namespace', 'garbagecollector'] } });
  try {
    const { client, what } = suite;
    const done = await runClientSuite(suite, `${root}tools/clients`, `${root}node_modules/.cache/clients`, server.kubeconfigPath);
    const date = new Date().toISOString().slice(0, 10);
    const version = 'version' in server ? String(server.version) : 'embedded';
    return { client, version: done.version, what, server: version, date, passed: done.passed, skipped: 0, failed: done.failed };
  } finally {
    await server.close();
  }
}

/** Runs one, and says what came of it. */
async function report(suite: ClientSuite): Promise<ClientRun | undefined> {
  try {
    const run = await runAgainstServer(suite);
    console.log(`${suite.name.padEnd(26)} ${run.version.padEnd(10)} ${String(run.passed)} passed, ${String(run.failed.length)} failed`);
    for (const failure of run.failed) console.log(`  ${failure.case}: ${failure.why}`);
    return run;
  } catch (error) {
    if (!(error instanceof NotRun)) throw error;
    console.log(`${suite.name.padEnd(26)} not run: ${error.message}`);
    return undefined;
  }
}

for (const suite of clientSuites) {
  if (positionals.length > 0 && !positionals.includes(suite.name)) continue;
  const run = await report(suite);
  if (run === undefined) continue;
  if (run.failed.length > 0) process.exitCode = 1;
  if (!values.write) continue;
  mkdirSync(results, { recursive: true });
  writeFileSync(`${results}/${suite.name}-${run.server}.json`, `${JSON.stringify(run, undefined, 2)}\n`);
}
if (values.write) writeClientTable(root);
