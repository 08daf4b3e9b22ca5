import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Go is not there, or a module cannot be had. */
export class NoGo extends Error {}

/** Runs the go command, and returns what it prints. What it says of downloads and errors goes to the error stream. */
export function go(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' };
  const { error, status, stdout } = spawnSync('go', args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw new NoGo(`Go is not installed: ${error.message}`);
  if (status !== 0) throw new NoGo(`go ${args.slice(0, 2).join(' ')} failed`);
  return stdout;
}

/**
 * The text of a go.mod for programs of ours that are built of Kubernetes' own: it requires what Kubernetes requires, in the same versions. What Kubernetes
 * requires as v0.0.0 stands in its own repository, and is published under a version of its own: v1.36.3 of Kubernetes is v0.36.3 of these.
 */
export function moduleText(name: string, version: string, ofKubernetes: string): string {
  const staged = [...ofKubernetes.matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0$/gm)].map(([, path = '']) => path);
  const required = [...ofKubernetes.matchAll(/^\s+(\S+) (v\S+)(?: \/\/ indirect)?$/gm)].filter(
    ([line, path = '']) => !line.includes('=>') && !staged.includes(path),
  );
  const [, goVersion = '1.24'] = /^go (\S+)$/m.exec(ofKubernetes) ?? [];
  return [
    `module ${name}`,
    `go ${goVersion}`,
    `require (\n\tk8s.io/kubernetes v${version}\n${required.map(([, path = '', at = '']) => `\t${path} ${at}\n`).join('')})`,
    `replace (\n${staged.map((path) => `\t${path} => ${path} v0${version.slice(version.indexOf('.'))}\n`).join('')})`,
    '',
  ].join('\n\n');
}

/** Makes a module in a folder that programs of a version of Kubernetes can be built in, with a file of ours. */
export function makeModule(folder: string, version: string, file: string, as: string): void {
  mkdirSync(folder, { recursive: true });
  const { GoMod: found } = JSON.parse(go(folder, 'mod', 'download', '-json', `k8s.io/kubernetes@v${version}`)) as {
    readonly GoMod: string;
  };
  writeFileSync(join(folder, 'go.mod'), moduleText('example.com/kubernetes', version, readFileSync(found, 'utf8')));
  copyFileSync(file, join(folder, as));
}
