// Copies the crates of kube-rs that have tests from where Cargo keeps them, and builds these. Published crates lack the dependencies of their tests on one another.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

function cargo(args, cwd = '.') {
  const { status, stdout, stderr, error } = spawnSync('cargo', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(error?.message ?? stderr.slice(-2000));
  return stdout;
}

const tested = ['kube', 'kube-client', 'kube-runtime'];
const crates = [...tested, 'kube-core', 'kube-derive'];
const { packages } = JSON.parse(cargo(['metadata', '--locked', '--format-version', '1']));
for (const crate of crates) {
  rmSync(`own/${crate}`, { recursive: true, force: true });
  cpSync(dirname(packages.find(({ name }) => name === crate).manifest_path), `own/${crate}`, { recursive: true });
}
const features = '["client", "derive", "runtime", "ws"]';
for (const crate of ['kube-client', 'kube-runtime'])
  appendFileSync(`own/${crate}/Cargo.toml`, `\n[dev-dependencies.kube]\npath = "../kube"\nfeatures = ${features}\n`);
const patches = crates.map((crate) => `${crate} = { path = "${crate}" }`);
const manifest = [
  '[workspace]',
  'resolver = "2"',
  `members = ${JSON.stringify(crates)}`,
  '[profile.dev]',
  'debug = false',
  '[patch.crates-io]',
];
writeFileSync('own/Cargo.toml', [...manifest, ...patches, ''].join('\n'));
cpSync('Cargo.lock', 'own/Cargo.lock');

const all = [
  'kube/admission',
  'kube/derive',
  'kube/jsonpatch',
  'kube/kubelet-debug',
  'kube/runtime',
  'kube/unstable-client',
  'kube/unstable-runtime',
  'kube/ws',
];
const build = ['test', '--lib', '--no-run', '--quiet', ...tested.flatMap((crate) => ['-p', crate]), '--features', all.join()];
const messages = cargo([...build, '--message-format', 'json'], 'own')
  .trim()
  .split('\n');
const programs = messages.map((line) => JSON.parse(line)).filter(({ executable, profile }) => executable && profile?.test);
writeFileSync('programs.json', JSON.stringify(programs.map(({ target, executable }) => ({ crate: target.name, executable }))));
