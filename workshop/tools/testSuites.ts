// `npm run test:suites`: tests that others have written for API servers, against the embedded server, those that need no container.
//
//   npm run test:suites                          all of them; prints counts
//   npm run test:suites -- gateway-api           those of one project, or of one group of Kubernetes': e2e-apps
//   npm run test:suites -- e2e-apps --focus 'CronJob'           some of these
//   npm run test:suites -- definitions --focus kueue          those of one project
//   npm run test:suites -- operators             operators of others, to their end state; --focus jobset for one of them
//   npm run test:suites -- helm                  clients that test themselves, or are tested, as npm run test:clients does it
//   npm run test:suites -- --times 3             Kubernetes' as often, at once; what counts is what passed in each run
//   npm run test:suites -- --write               the same, and writes workshop/reports/runs/suites and the table of workshop/reports/conformance.md
//
// It needs Go and the Go module proxy, and some minutes for the first time; clients need their own languages. What is missing is said, and the rest is run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NoGo } from './real/kubernetesModule.js';
import { writePages } from './real/writePages.js';
import { runDefinitions } from './suites/definitions.js';
import { runGatewayApi } from './suites/gatewayApi.js';
import { conformanceGroups } from './suites/conformanceCases.js';
import { runOperators } from './suites/operators/operators.js';
import { runKubernetes } from './suites/kubernetes.js';
import type { SuiteCount } from './suites/suiteCount.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const {
  values,
  positionals: [only],
} = parseArgs({
  allowPositionals: true,
  options: {
    focus: { type: 'string' },
    times: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});

const projects: Readonly<Record<string, () => Promise<readonly SuiteCount[]>>> = {
  ...Object.fromEntries(
    Object.keys(conformanceGroups).map((group) => [
      `e2e-${group}`,
      async () => [await runKubernetes(root, group, values.focus, Number(values.times))],
    ]),
  ),
  definitions: () => runDefinitions(root, values.focus),
  operators: () => runOperators(root, values.focus),
  'gateway-api': async () => [await runGatewayApi(root, 'standard'), await runGatewayApi(root, 'experimental')],
};

/** Clients whose cases belong to the picture; workshop/tools/testClients.ts runs them. */
const clients = ['controller-runtime-own', 'kube-rs', 'kube-rs-own', 'kopf-own', 'helm', 'python-own'];

function runClient(name: string): void {
  const args = [
    '--import',
    './workshop/tools/register-ts-node.mjs',
    'workshop/tools/testClients.ts',
    name,
    ...(values.write ? ['--write'] : []),
  ];
  if (spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0) process.exitCode = 1;
  if (values.write) writePages(root);
}

async function run(project: string): Promise<void> {
  if (clients.includes(project)) {
    runClient(project);
    return;
  }
  const counts = (await projects[project]?.()) ?? [];
  for (const { suite, version, passed, failed } of counts) {
    console.log(`${suite} ${version}: ${String(passed)} of ${String(passed + failed.length)}`);
    for (const title of failed) console.log(`  ${title}`);
  }
  if (counts.some(({ failed }) => failed.length > 0)) process.exitCode = 1;
  if (!values.write) return;
  mkdirSync(join(root, 'workshop/reports/runs/suites'), { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, `workshop/reports/runs/suites/${project}.json`), `${JSON.stringify({ date, counts }, undefined, 2)}\n`);
  writePages(root);
}

const all = [...Object.keys(projects), ...clients];
if (only !== undefined && !all.includes(only)) throw new TypeError(`Expected ${all.join(' or ')}, got ${only}`);
if (values.focus !== undefined && values.write) throw new TypeError('Expected --write without --focus: the table is of all cases');
const hasGo = spawnSync('go', ['version']).error === undefined;
for (const project of only === undefined ? all : [only]) {
  try {
    if (hasGo || clients.includes(project)) await run(project);
    else console.log(`${project}: not run: Go is not installed`);
  } catch (error) {
    if (!(error instanceof NoGo)) throw error;
    console.log(`${project}: not run: ${error.message}`);
  }
}
