// `npm run test:suites`: tests that others have written for API servers, against the embedded server, those that need no container.
//
//   npm run test:suites                          all of them; prints counts
//   npm run test:suites -- --only gateway-api    those of one project, or of one group of Kubernetes': e2e-apps
//   npm run test:suites -- --only e2e-apps --focus 'CronJob'    some of these
//   npm run test:suites -- --times 3             Kubernetes' as often, at once; what counts is what passed in each run
//   npm run test:suites -- --write               the same, and writes docs/runs/suites and the table of docs/conformance.md
//
// It needs Go and the Go module proxy, and some minutes for the first time; without Go it says so and is done.
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
import { runKubernetes } from './suites/kubernetes.js';
import type { SuiteCount } from './suites/suiteCount.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    focus: { type: 'string' },
    times: { type: 'string', default: '1' },
    only: { type: 'string' },
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
  definitions: () => runDefinitions(root),
  'gateway-api': async () => [await runGatewayApi(root, 'standard'), await runGatewayApi(root, 'experimental')],
};

async function run(project: string): Promise<void> {
  const counts = (await projects[project]?.()) ?? [];
  for (const { suite, version, passed, failed } of counts) {
    console.log(`${suite} ${version}: ${String(passed)} of ${String(passed + failed.length)}`);
    for (const title of failed) console.log(`  ${title}`);
  }
  if (counts.some(({ failed }) => failed.length > 0)) process.exitCode = 1;
  if (!values.write) return;
  mkdirSync(join(root, 'docs/runs/suites'), { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, `docs/runs/suites/${project}.json`), `${JSON.stringify({ date, counts }, undefined, 2)}\n`);
  writePages(root);
}

if (values.only !== undefined && !Object.hasOwn(projects, values.only))
  throw new TypeError(`Expected --only to be ${Object.keys(projects).join(' or ')}, got ${values.only}`);
if (values.focus !== undefined && values.write) throw new TypeError('Expected --write without --focus: the table is of all cases');
if (spawnSync('go', ['version']).error !== undefined) console.log('not run: Go is not installed');
else {
  try {
    for (const project of values.only === undefined ? Object.keys(projects) : [values.only]) await run(project);
  } catch (error) {
    if (!(error instanceof NoGo)) throw error;
    console.log(`not run: ${error.message}`);
  }
}
