import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ClientRun } from './clientRun.js';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

type Result = Report['testResults'][number]['assertionResults'][number];

function runOf(version: string, results: readonly Result[]): ClientRun {
  return {
    client: 'kubectl',
    version,
    what: 'what people type, spec/e2e/kubectl.spec.ts',
    server: 'embedded',
    date: new Date().toISOString().slice(0, 10),
    passed: results.filter(({ status }) => status === 'passed').length,
    skipped: 0,
    failed: results
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages }) => ({ case: title, why: failureMessages.join(' ').slice(0, 300) })),
  };
}

/** Runs the kubectl specs with every available version, see spec/e2e/kubectl.ts; returns nothing without kubectl. */
export function runKubectl(root: string): readonly ClientRun[] {
  const output = `${root}reports/test-kubectl.json`;
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  args.push('--roots', 'spec/e2e', '--testPathIgnorePatterns', '/node_modules/', '--testPathPatterns', 'e2e/kubectl.spec');
  args.push('-w', '1', '--json', `--outputFile=${output}`);
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'ignore'] });
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
  const byVersion = new Map<string, Result[]>();
  for (const result of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const version = result.ancestorTitles[0]?.replace(/^kubectl v?/, '') ?? '';
    if (result.status === 'passed' || result.status === 'failed') byVersion.set(version, [...(byVersion.get(version) ?? []), result]);
  }
  return [...byVersion].map(([version, results]) => runOf(version, results));
}
