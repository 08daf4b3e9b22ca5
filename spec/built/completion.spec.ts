import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resources } from '../../src/api/resources.js';
import { configMap } from '../../src/testing/fakes/fixtures.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

/** The text before the key is pressed, and the line afterwards. Each has one completion. */
const lines = [
  ['rx-informer wat', 'rx-informer watch'],
  ['rx-informer watch --sel', 'rx-informer watch --selector'],
  ['rx-informer watch pods --color al', 'rx-informer watch pods --color always'],
  ['rx-informer watch giz', 'rx-informer watch gizmos'],
  ['rx-informer watch pods,giz', 'rx-informer watch pods,gizmos'],
  ['rx-informer watch configmaps s', 'rx-informer watch configmaps settings'],
  ['rx-informer watch configmaps -n shop ', 'rx-informer watch configmaps -n shop setup'],
  ['rx-informer why configmap/s', 'rx-informer why configmap/settings'],
  ['rx-informer watch pods -n sh', 'rx-informer watch pods -n shop'],
  ['rx-informer watch pods --namespace=sh', 'rx-informer watch pods --namespace=shop'],
  ['rx-informer replay reco', 'rx-informer replay recording.ndjson'],
] as const;

const [tab, home, end] = ['\t', '\x01', '\x05'];

/** Types into an interactive shell, each time that it shows its prompt, and has it print each completed line's words. */
async function completedAtTerminal(shell: string): Promise<readonly string[]> {
  const child = spawn('script', ['--quiet', '--flush', '--command', `PS1=[ready] ${shell}`, '/dev/null'], {
    cwd: folder,
    env: environment,
  });
  const printed: string[] = [];
  let rest = '';
  let look = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    look();
  });
  const shown = (text: RegExp): Promise<string> =>
    new Promise((resolve) => {
      look = () => {
        const found = text.exec(rest);
        if (found === null) return;
        rest = '';
        look = () => undefined;
        resolve(found[1] ?? '');
      };
      look();
    });
  await shown(/\[ready\]/);
  child.stdin.write(`source <(rx-informer completion ${shell.split(' ')[0] ?? ''}); echo sour''ced\n`);
  await shown(/sourced[^]*\[ready\]/);
  for (const [line] of lines) {
    child.stdin.write(`${line}${tab}${home}printf '<%s>' ${end}; echo\n`);
    // The completed line may be shown with another prompt.
    const words = await shown(/<(rx-informer(?:><[^<>]*)*)>\r?\n[^]*\[ready\]/);
    printed.push(words.replaceAll('><', ' '));
  }
  child.stdin.end('exit\n');
  await once(child, 'close');
  return printed;
}

/** Asks fish, which needs no terminal for it. */
async function completedByFish(): Promise<readonly string[]> {
  const program = 'rx-informer completion fish | source; for line in $argv; complete -C"$line" | string replace -r "\\t.*" ""; echo .; end';
  const args = ['--no-config', '-c', program, ...lines.map(([typed]) => typed)];
  const { stdout } = await promisify(execFile)('fish', args, { cwd: folder, env: environment });
  const found = stdout.split(/\.\n/).map((text) => text.trim());
  return lines.map(([typed], index) => typed.replace(/\S*$/, '') + (found[index] ?? ''));
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`${program} is not installed: the specs that need it are skipped`);
    return false;
  }
}

let server: TestApiServer;
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  server = await startApiServer();
  const names = { plural: 'gizmos', kind: 'Gizmo' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  const definition = { metadata: { name: 'gizmos.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions } };
  await server.client.create(resources.apiextensions.v1.customresourcedefinitions, definition);
  await server.client.create(resources.core.v1.namespaces, { metadata: { name: 'shop' } });
  server.objects.put([configMap('settings'), configMap('setup', { metadata: { namespace: 'shop' } })]);

  folder = mkdtempSync(join(tmpdir(), 'rx-informer-completion-'));
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig);
  writeFileSync(join(folder, 'recording.ndjson'), '');
  symlinkSync(join(import.meta.dirname, '../../packages/cli/dist/esm/main.js'), join(folder, 'rx-informer'));
  const path = [folder, process.env['PATH']].join(delimiter);
  // npm sets an editor, which gives zsh the keys of vi.
  const keys = { TERM: 'dumb', EDITOR: 'emacs', VISUAL: '' };
  environment = { ...process.env, ...keys, PATH: path, HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  { shell: 'bash', needs: ['script', 'bash'], completed: () => completedAtTerminal('bash --norc --noprofile -i') },
  { shell: 'zsh', needs: ['script', 'zsh'], completed: () => completedAtTerminal('zsh -f -i') },
  { shell: 'fish', needs: ['fish'], completed: completedByFish },
])('completion in $shell', ({ needs, completed }) => {
  const inShell = needs.every(isInstalled) ? it : it.skip;

  inShell('completes commands, options, kinds, objects, namespaces and files', async () => {
    expect(await completed()).toEqual(lines.map(([, whole]) => whole));
  });
});
