// Runs the tests of one crate of kube-rs that need a cluster, from the sources that `cargo vendor` has brought: a line of JSON for every case.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const features = {
  kube: ['client', 'derive', 'runtime', 'ws'],
  'kube-client': ['client', 'ws', 'rustls-tls', 'ring', 'jsonpatch', 'unstable-client'],
  'kube-runtime': [],
};

const [crate, kubeconfig] = process.argv.slice(2);
const folder = readdirSync('vendor').find((name) => name.startsWith(`${crate}-`) && /^\d/.test(name.slice(crate.length + 1)));
const args = ['test', '--locked', '--manifest-path', `vendor/${folder}/Cargo.toml`, '--target-dir', 'target', '--lib'];
args.push('--features', features[crate].join(), '--', '--ignored', '--test-threads=1');
const { status, stdout, stderr } = spawnSync('cargo', args, {
  env: { ...process.env, KUBECONFIG: kubeconfig },
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});

const print = (line) => console.log(JSON.stringify(line));
const results = [...stdout.matchAll(/^test (\S+?)(?: - .*)? \.\.\. (?:[^]*?\n)??(ok|FAILED|ignored.*)$/gm)];
for (const [, name, result] of results) {
  const passed = result !== 'FAILED';
  const why = stdout.split(`---- ${name} stdout ----`)[1]?.split(/\n---- |\nfailures:/)[0];
  print({ case: `${crate}: ${name}`, passed, ...(!passed && { why: why?.trim() ?? result }) });
}
if (status !== 0 && results.every(([, , result]) => result !== 'FAILED')) {
  print({ case: `${crate}: runs to its end`, passed: false, why: stderr.trim().slice(-300) });
}
