// Runs kube-rs' own tests that need a cluster, built by prepare.mjs, against a server: prints one line of JSON per case.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const env = { ...process.env, KUBECONFIG: resolve(process.argv[2]), NO_COLOR: '1', RUST_BACKTRACE: '0' };
for (const { crate, executable } of JSON.parse(readFileSync('programs.json', 'utf8'))) {
  const { stdout, stderr } = spawnSync(executable, ['--ignored'], {
    cwd: `own/${crate.replace('_', '-')}`,
    env,
    encoding: 'utf8',
    timeout: 300_000,
  });
  const output = `${stdout}\n${stderr}`;
  for (const [, name, result] of stdout.matchAll(/^test (\S+)(?: - .*)? \.\.\. (?:.*\n)*?.*?(ok|FAILED)$/gm)) {
    const [, why = ''] = new RegExp(`---- ${name} stdout ----\n([^]*?)\n\n`).exec(output) ?? [];
    console.log(JSON.stringify({ case: `${crate}: ${name}`, passed: result === 'ok', ...(result !== 'ok' && { why: why.trim() }) }));
  }
  if (!/^test result: /m.test(stdout))
    console.log(JSON.stringify({ case: `${crate}: runs to its end`, passed: false, why: output.slice(-300) }));
}
