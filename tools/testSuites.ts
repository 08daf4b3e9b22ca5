// `npm run test:suites`: Kubernetes' own end-to-end tests against the embedded server, those that need no container.
//
//   npm run test:suites                          all that is chosen below; prints counts
//   npm run test:suites -- --focus 'Watchers'    some of them
//   npm run test:suites -- --write               the same, and writes docs/runs/suites and the table of docs/server-versions.md
//
// It needs Go and the Go module proxy, and some minutes for the first time; without Go it says so and is done.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startApiServer } from '../src/testing/startApiServer.js';
import { startWorkload } from '../src/testing/workload/startWorkload.js';
import { go, makeModule, NoGo } from './real/kubernetesModule.js';
import { countSpecs, type SuiteCount } from './suites/countSpecs.js';
import { writeSuites } from './suites/writeSuites.js';

const version = '1.36.3';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, `node_modules/.cache/real/e2e-${version}`);
const binary = join(folder, 'e2e.test');
const { values } = parseArgs({ options: { focus: { type: 'string' }, write: { type: 'boolean', default: false } } });

/** What runs nothing in a container. */
const chosen = String.raw`\[sig-api-machinery\].*\[Conformance\]`;
/** Cases that run a program of their own in a pod. */
const needsContainers = 'AdmissionWebhook|CustomResourceConversionWebhook|Aggregator';

async function run(): Promise<readonly SuiteCount[]> {
  if (!existsSync(binary)) {
    makeModule(folder, version, join(root, 'tools/suites/e2e_test.go'), 'e2e_test.go');
    process.stderr.write(`building the end-to-end tests of v${version}\n`);
    go(folder, 'test', '-c', '-o', binary, '.');
  }
  const server = await startApiServer({ tls: true });
  const workload = await startWorkload(server.client, {
    kubelet: { crashRate: 0, startMs: 200, stopMs: 200 },
    rootCertificate: server.credentials.ca,
  });
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  mkdirSync(folder, { recursive: true });
  const args = [
    `--kubeconfig=${server.kubeconfigPath}`,
    '--provider=skeleton',
    '--allowed-not-ready-nodes=-1',
    `--ginkgo.focus=${values.focus ?? chosen}`,
    `--ginkgo.skip=${needsContainers}`,
    `--ginkgo.json-report=${report}`,
    '--ginkgo.timeout=40m',
    '--ginkgo.succinct',
  ];
  // The server is in this process: whoever waited for the tests in here would keep it from answering.
  await new Promise<void>((resolve) => {
    spawn(binary, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).once('close', () => resolve());
  });
  await workload.stop();
  await server.close();
  return [countSpecs(`Kubernetes v${version}, end-to-end, api machinery`, readFileSync(report, 'utf8'))];
}

if (spawnSync('go', ['version']).error !== undefined) console.log('not run: Go is not installed');
else {
  try {
    const counts = await run();
    for (const { suite, passed, failed } of counts) {
      console.log(`${suite}: ${String(passed)} of ${String(passed + failed.length)}`);
      for (const title of failed) console.log(`  ${title}`);
    }
    if (values.write) {
      mkdirSync(join(root, 'docs/runs/suites'), { recursive: true });
      writeFileSync(
        join(root, 'docs/runs/suites/kubernetes.json'),
        `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), counts }, undefined, 2)}\n`,
      );
      writeSuites(root);
    }
    if (counts.some(({ failed }) => failed.length > 0)) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof NoGo)) throw error;
    console.log(`not run: ${error.message}`);
  }
}
