// `npm run test:real`: runs the specs about Kubernetes API servers against a real one.
//
//   npm run test:real              the named cases, the conformance specs, the informers' specs under faults, and the operators' specs; prints counts
//   npm run test:real -- --write   the same, and writes workshop/reports/runs, workshop/reports/conformance.md and the table of docs/server-versions.md
//
//   FEATURE_GATES=WatchList=true npm run test:real    with gates of kube-apiserver; 1.33 has WatchList, and leaves it off
//
// Needs etcd and kube-apiserver in the folder of KUBEBUILDER_ASSETS or on the PATH; kube-controller-manager is optional.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBinaries } from '../../packages/api-server/src/real/findBinaries.js';
import { startRealApiServer } from '@rx-informer/api-server';
import { apiServerArgs, featureGates } from './real/apiServerArgs.js';
import { etcdVersion } from './real/etcdVersion.js';
import { resultsOf, type SuiteResults } from './real/results.js';
import { writePages } from './real/writePages.js';
import type { RealRun } from './real/realRun.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs specs; failures are part of the result. */
function run(pattern: string, env: NodeJS.ProcessEnv): SuiteResults {
  const output = `${root}reports/test-real.json`;
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  args.push('--roots', 'packages/api-server/spec', 'workshop/spec/real', '--testPathIgnorePatterns', '/node_modules/');
  args.push('--testPathPatterns', pattern, '-w', '1', '--json', `--outputFile=${output}`);
  spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  return resultsOf(JSON.parse(readFileSync(output, 'utf8')) as Parameters<typeof resultsOf>[0]);
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const binaries = findBinaries(undefined);
const hasControllers = binaries['kube-controller-manager'] !== undefined;
// All other controllers would write to the objects of the specs.
const server = await startRealApiServer({ apiServerArgs, controllerManager: hasControllers && ['namespace', 'garbagecollector'] });
const { version } = server;
console.log(`kube-apiserver ${version}`);
const cluster = { CONFORMANCE: 'cluster', CONFORMANCE_CONTROLLERS: hasControllers ? 'yes' : 'no', KUBECONFIG: server.kubeconfigPath };
const embedded = run('packages/api-server/spec/scorecard', {});
const scorecard = run('packages/api-server/spec/scorecard', cluster);
const conformance = run('packages/api-server/spec/conformance', cluster);
await server.close();
const informers = run('workshop/spec/real/(?!operators)', {});
const operators = run('workshop/spec/real/operators', {});
const date = new Date().toISOString().slice(0, 10);
const done: RealRun = {
  version,
  featureGates,
  etcd: etcdVersion(binaries.etcd),
  controllerManager: hasControllers,
  date,
  embedded,
  scorecard,
  conformance,
  informers,
  operators,
};
for (const [name, { passed, failed, skipped }] of Object.entries({ embedded, scorecard, conformance, informers, operators })) {
  console.log(`${name.padEnd(12)} ${String(passed)} passed, ${String(failed.length)} failed, ${String(skipped)} not for this server`);
  for (const title of failed) console.log(`  ${title}`);
}
if (values.write) {
  writeFileSync(`${root}workshop/reports/runs/${version}.json`, `${JSON.stringify(done, undefined, 2)}\n`);
  writePages(root);
}
// The cases on the embedded server, the informers and the operators must pass; differences between a real server and the embedded one are
// shown on the pages.
if (embedded.failed.length + informers.failed.length + operators.failed.length > 0) process.exitCode = 1;
