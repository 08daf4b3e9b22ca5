// Runs the tests of one crate of kube-rs that need a cluster, from the sources that `cargo vendor` has brought: a line of JSON for every case. Builds them without a kubeconfig.
// The crate kube-runtime has some, too: they need the crate kube, which its package does not name.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';

const features = {
  kube: ['client', 'derive', 'runtime', 'ws'],
  'kube-client': ['client', 'ws', 'rustls-tls', 'ring', 'jsonpatch', 'unstable-client'],
};

const [crate, kubeconfig] = process.argv.slice(2);
const folder = `vendor/${readdirSync('vendor').find((name) => name.startsWith(`${crate}-`) && /^\d/.test(name.slice(crate.length + 1)))}`;
copyFileSync('Cargo.lock', `${folder}/Cargo.lock`);
const args = ['test', '--manifest-path', `${folder}/Cargo.toml`, '--target-dir', 'target', '--lib', '--features', features[crate].join()];
args.push(...(kubeconfig === undefined ? ['--no-run'] : ['--', '--ignored', '--test-threads=1']));
const env = { ...process.env, KUBECONFIG: kubeconfig };
const { status, stdout, stderr } = spawnSync('cargo', args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
if (status !== 0 && kubeconfig === undefined) throw new Error(stderr);

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
