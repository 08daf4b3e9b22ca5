// Runs the tests of one package of controller-runtime, built by prepare.mjs, against a server: prints one line of JSON per case.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const [name, kubeconfig] = process.argv.slice(2);
const program = resolve('tests', `${name.replaceAll('/', '-')}.test`);
const report = resolve('tests', 'report.json');
rmSync(report, { force: true });
const { status, stdout, stderr } = spawnSync(program, [`-ginkgo.json-report=${report}`, '-ginkgo.timeout=560s', '-ginkgo.no-color'], {
  cwd: resolve('controller-runtime/pkg', name),
  env: { ...process.env, USE_EXISTING_CLUSTER: 'true', KUBECONFIG: kubeconfig },
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});

const print = (line) => console.log(JSON.stringify(line));
let failures = 0;
for (const { SpecReports } of JSON.parse(readFileSync(report, 'utf8'))) {
  for (const { LeafNodeType, ContainerHierarchyTexts, LeafNodeText, State, Failure } of SpecReports ?? []) {
    const skipped = State === 'skipped' || State === 'pending';
    const passed = State === 'passed' || skipped;
    // Setup and teardown nodes are reported only if they fail.
    if (LeafNodeType !== 'It' && passed) continue;
    failures += passed ? 0 : 1;
    const title = [`${name}:`, ...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(' ');
    print({ case: title, passed, ...(skipped && { skipped }), ...(!passed && { why: Failure?.Message ?? State }) });
  }
}
if (status !== 0 && failures === 0)
  print({ case: `${name}: runs to its end`, passed: false, why: `${stdout}\n${stderr}`.trim().slice(-300) });
