import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The folder of the sources, regardless of where this file is compiled to. */
const sources = fileURLToPath(new URL('peers/', `file://${process.cwd()}/workshop/bench/`));
/** Kept between runs: compiling takes minutes. */
const builds = join(tmpdir(), 'rx-informer-bench-peers');

function build(tool: string, args: readonly string[], folder: string, program: string): string | undefined {
  if (spawnSync(tool, ['--version']).error !== undefined) {
    console.log(`  ${tool} is not installed: ${folder} is left out`);
    return undefined;
  }
  mkdirSync(builds, { recursive: true });
  console.log(`  building ${folder}`);
  const { status } = spawnSync(tool, [...args], {
    cwd: join(sources, folder),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CARGO_TARGET_DIR: builds },
  });
  if (status !== 0) throw new Error(`Expected ${tool} to build workshop/bench/peers/${folder}`);
  return join(builds, program);
}

/** Builds the program that uses client-go; undefined without Go. */
export function buildClientGo(): string | undefined {
  return build('go', ['build', '-o', join(builds, 'client-go'), '.'], 'client-go', 'client-go');
}

/** Builds the operator that uses controller-runtime; undefined without Go. */
export function buildControllerRuntime(): string | undefined {
  return build('go', ['build', '-o', join(builds, 'controller-runtime'), '.'], 'controller-runtime', 'controller-runtime');
}

/** Builds the program that uses kube-rs; undefined without Rust. */
export function buildKubeRs(): string | undefined {
  return build('cargo', ['build', '--release', '--locked'], 'kube-rs', 'release/rx-informer-bench-kube-rs');
}

/** A server of the same objects as protobuf. */
export interface ProtobufServer {
  readonly url: string;
  readonly listBytes: number;
  readonly eventBytes: number;
  close(): void;
}

/** Starts a server that encodes a list and a watch of the benchmark's server as protobuf, with client-go. */
export async function serveProtobuf(program: string, options: object): Promise<ProtobufServer> {
  const child: ChildProcess = spawn(program, ['serve', JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Expected client-go to serve protobuf, but it ended with ${String(code)}`)));
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', resolve);
  });
  return { ...(JSON.parse(line) as Omit<ProtobufServer, 'close'>), close: () => child.kill() };
}
