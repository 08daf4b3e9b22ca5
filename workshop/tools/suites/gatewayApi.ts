import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApiServer } from '@rx-informer/api-server';
import { go } from '../real/kubernetesModule.js';
import { countTests, type SuiteCount } from './suiteCount.js';

const version = 'v1.4.1';

/** Runs the validation tests of gateway-api, for one channel of its definitions, against an embedded server. */
export async function runGatewayApi(root: string, channel: 'experimental' | 'standard'): Promise<SuiteCount> {
  const cache = join(root, 'node_modules/.cache/real');
  const folder = join(cache, `gateway-api-${version}`);
  const binary = join(folder, `${channel}.test`);
  if (!existsSync(folder)) {
    const found = JSON.parse(go(root, 'mod', 'download', '-json', `sigs.k8s.io/gateway-api@${version}`)) as { readonly Dir: string };
    cpSync(found.Dir, folder, { recursive: true });
    // The module cache is read-only, and so is a copy of it: make it writable for the build.
    for (const name of ['.', 'go.mod', 'go.sum']) chmodSync(join(folder, name), 0o755);
  }
  if (!existsSync(binary)) {
    process.stderr.write(`building the cases of gateway-api ${version}, ${channel}\n`);
    go(folder, 'test', '-c', '-vet=off', ...(channel === 'experimental' ? ['-tags', 'experimental'] : []), '-o', binary, './pkg/test/cel');
  }
  const server = await startApiServer();
  const definitions = join(folder, 'config/crd', channel);
  for (const name of readdirSync(definitions)) if (name.includes('.io_')) server.objects.put(readFileSync(join(definitions, name), 'utf8'));
  const tests = spawn(binary, ['-test.v'], {
    cwd: join(folder, 'pkg/test/cel'),
    env: { ...process.env, KUBECONFIG: server.kubeconfigPath },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  tests.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await new Promise<void>((resolve) => {
    tests.once('close', () => resolve());
  });
  await server.close();
  return countTests(`gateway-api, CEL, ${channel} channel`, version, output);
}
