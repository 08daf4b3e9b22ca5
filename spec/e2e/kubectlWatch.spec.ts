import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKubectl, type Kubectl, kubectlPrograms } from './kubectl.js';
import { commandLine, startServerProcess, type ServerProcess } from './serverProcess.js';

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
});

/** Reads a process' output line by line. */
class Lines {
  readonly all: string[] = [];
  private rest = '';
  private waiting: (() => void) | undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop() ?? '';
      this.all.push(...lines);
      this.waiting?.();
    });
  }

  /** The first line that matches, waited for if need be. */
  async find(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.all.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
  }
}

const version = kubectlPrograms()[0]?.version;
if (version === undefined) console.warn('kubectl is not installed: its specs are skipped. Debian has it in the package kubernetes-client.');

(version === undefined ? describe.skip : describe)(`kubectl ${version ?? ''} and rx-informer watch`, () => {
  let server: ServerProcess;
  let kubectl: Kubectl;

  beforeAll(async () => {
    server = await startServerProcess();
    kubectl = createKubectl(server.kubeconfigPath);
  });

  afterAll(async () => {
    kubectl.remove();
    await server.end();
  });

  it('see a pod come, change and go at the same time', async () => {
    const watches = [
      kubectl.start(['get', 'pods', '-A', '-w', '--output-watch-events']),
      spawn(process.execPath, [...commandLine, 'watch', 'pods', '-A', '--server', server.url]),
    ];
    const [theirs, ours] = watches.map((child) => new Lines(child)) as [Lines, Lines];
    await ours.find(/^EVENT/);

    expect(await kubectl.run(['create', '-f', '-'], pod)).toMatchObject({ code: 0, stdout: 'pod/web created\n' });
    await theirs.find(/ADDED .*web/);
    await ours.find(/^added .*default .*web/);
    expect(await kubectl.run(['label', 'pod', 'web', 'tier=front'])).toMatchObject({ code: 0 });
    await theirs.find(/MODIFIED .*web/);
    await ours.find(/^updated .*web/);
    expect(await kubectl.run(['delete', 'pod', 'web'])).toMatchObject({ code: 0, stdout: 'pod "web" deleted\n' });
    await theirs.find(/DELETED .*web/);
    await ours.find(/^deleted .*web/);
    for (const child of watches) child.kill();
  });
});
