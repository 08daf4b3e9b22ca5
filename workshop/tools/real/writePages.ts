import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { replaceBetween } from '../docs/replaceBetween.js';
import { conformanceGroups } from '../suites/conformanceCases.js';
import { suiteTable } from '../suites/suiteTable.js';
import type { RealRun } from './realRun.js';
import type { SuiteResults } from './results.js';

/** Cases that a client over HTTP cannot test, with the reason. */
const outOfReach: Readonly<Record<string, string>> = {
  'RunTestWatchError, RunWatchErrorIsBlockingFurtherEvents, RunTestGetListWithErrorAggregation':
    'need a transformer of stored bytes that fails',
  RunTestWatchWithUnsafeDelete: 'needs an object that cannot be decoded',
  'RunTestWatchContextCancel, RunTestWatchInitializationSignal': "are about the caller's context in Go",
  'TestConsistentReadFallback, TestRetryAfterForUnreadyCache, TestWatchNotHangingOnStartupFailure':
    'need an etcd that fails at the right moment',
  TestGetListWithShardedListAndWatch: 'needs a feature gate that is off',
};

const groups: Readonly<Record<string, string>> = {
  storage: 'Storage: k8s.io/apiserver, pkg/storage/testing',
  cacher: 'Watch cache: k8s.io/apiserver, pkg/storage/cacher',
  e2e: 'Conformance: test/e2e/apimachinery',
};

function readRuns(root: string): readonly RealRun[] {
  return readdirSync(`${root}workshop/reports/runs`)
    .filter((name) => /^v\d.*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(`${root}workshop/reports/runs/${name}`, 'utf8')) as RealRun)
    .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

const nameOf = ({ version, featureGates }: RealRun): string => (featureGates === '' ? version : `${version} (${featureGates})`);

function cell({ cases }: SuiteResults, name: string): string {
  const [passed, all] = cases[name] ?? [0, 0];
  return all === 0 ? '-' : passed === all ? String(all) : `**${String(passed)} of ${String(all)}**`;
}

function tableOf(group: string, runs: readonly RealRun[]): string {
  const [newest] = runs;
  const names = Object.keys(newest?.embedded.cases ?? {}).filter((name) => name.startsWith(`${group} `));
  const rows = names.map(
    (name) =>
      `| ${name.slice(group.length + 1)} | ${newest === undefined ? '-' : cell(newest.embedded, name)} | ${runs.map((run) => cell(run.scorecard, name)).join(' | ')} |`,
  );
  return [
    `## ${groups[group] ?? group}`,
    '',
    `| case | embedded | ${runs.map(nameOf).join(' | ')} |`,
    `| --- | --- |${' --- |'.repeat(runs.length)}`,
    ...rows.sort(),
  ].join('\n');
}

const sum = ({ passed, failed }: SuiteResults): string => `${String(passed)} of ${String(passed + failed.length)}`;

function leftOutList(): string {
  const lines = Object.entries(conformanceGroups).flatMap(([name, { leftOut }]) =>
    leftOut.map(({ why, cases }) => `- ${name}, ${why}: titles that match \`${cases}\`.`),
  );
  return lines.join('\n');
}

function conformancePage(runs: readonly RealRun[], suites: string): string {
  const lines = Object.entries(outOfReach).map(([names, why]) => `- ${names}: ${why}.`);
  const differing = runs.flatMap((run) => run.scorecard.failed.map((title) => `- ${nameOf(run)}: ${title}`));
  const totals = runs.map((run) => `${nameOf(run)} passed ${sum(run.scorecard)} on ${run.date}`).join('; ');
  const [newest] = runs;
  return `# Conformance

The list and watch cases of Kubernetes' own tests that the embedded server passes. They are specs over HTTP, under their names in Kubernetes: [packages/api-server/spec/scorecard](../../packages/api-server/spec/scorecard).
They are run against the embedded API server with every \`npm test\`, and against a real one with \`npm run -s --prefix workshop test:real\`. This page is written by \`npm run -s --prefix workshop test:real -- --write\` and \`npm run -s --prefix workshop test:suites -- --write\`
from the results in [workshop/reports/runs](runs). A number is that of the variants of a case, all of which passed; **in bold** where some did not.

The embedded server passed ${newest === undefined ? 'nothing yet' : sum(newest.embedded)}; ${totals}.

${Object.keys(groups)
  .map((group) => tableOf(group, runs))
  .join('\n\n')}

## Tests of others

What others have written for API servers, run as it is. \`npm run -s --prefix workshop test:suites\` builds the end-to-end tests of Kubernetes and the cases of gateway-api from Go modules, and creates the definitions of
real projects, with their samples, on an embedded and a real server, whose answers have to be alike; it runs controller-runtime's, kube-rs', kopf's and the Python client's own tests, kube-rs and Helm, too. What needs a language that is missing is not run, and says so.
Of Kubernetes' conformance cases those run that need no container, with kube-controller-manager and kube-scheduler on the embedded server and a simulated kubelet; pods that answer webhooks run as
processes. TestHTTPRouteTimeouts of gateway-api
expects a message of Kubernetes 1.34; kube-apiserver 1.36.3 does not pass it either. The three of kube-rs that fail on both servers run programs in a container.
kube-rs' examples crd_api, crd_apply and crd_derive with all its variants, which its crates do not contain, were run by hand on 2026-11-26: 8 of 8 end well on the embedded server.

controller-runtime's own tests get a new server for each package here. On one server for all packages, one after another (client, manager, controller, builder, source, handler, cluster, envtest,
internal/controller, internal/recorder, webhook, cache; 2026-11-26), 26 cases fail that pass on a new one, and they are the same 26 on the embedded server and on kube-apiserver 1.36.3: earlier packages leave
objects behind. Of source: "Kind for a Deployment resource should provide Deployment Events" and the three of "Informer for a ReplicaSet resource". Of internal/controller: "should not call Reconcile until all event
handlers have processed initial objects". Of internal/recorder: "deprecated recorder should publish events", as a webhook that is gone is still configured. Of cache: with each kind of cache, those that list all
pods or all namespaces, which find those of others, too.

${suites}

### Conformance cases that are left out

Each takes a program in a container or a kubelet:

${leftOutList()}

## Where a real server differs

${differing.length === 0 ? 'Nowhere: every variant passed on every server.' : differing.join('\n')}

## Specs of the embedded server that a real one answers otherwise

${differences(runs)}

## Out of reach

${lines.join('\n')}
`;
}

function versionsTable(runs: readonly RealRun[]): string {
  const rows = runs.map(
    (run) =>
      `| kube-apiserver ${nameOf(run)}, etcd ${run.etcd}${run.controllerManager ? ', kube-controller-manager' : ''} | ${run.date} | ${sum(run.scorecard)} | ${sum(run.conformance)} | ${sum(run.informers)} | ${run.operators === undefined ? '-' : sum(run.operators)} |`,
  );
  return [
    '| server | date | [named cases](../workshop/reports/conformance.md) | specs of the embedded server | informers, watch guarantees | operators |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function differences(runs: readonly RealRun[]): string {
  return runs
    .map(
      (run) =>
        `- ${nameOf(run)}: ${run.conformance.failed.length === 0 ? 'none' : run.conformance.failed.map((title) => `\n  - ${title}`).join('')}`,
    )
    .join('\n');
}

/** Writes workshop/reports/conformance.md and the table of docs/server-versions.md from the stored runs. */
export function writePages(root: string): void {
  const runs = readRuns(root);
  writeFileSync(`${root}workshop/reports/conformance.md`, conformancePage(runs, suiteTable(root)));
  const path = `${root}docs/server-versions.md`;
  writeFileSync(path, replaceBetween(readFileSync(path, 'utf8'), 'runs', versionsTable(runs)));
}
