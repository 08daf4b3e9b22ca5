import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultCase } from '../faultCase.js';
import type { Scene } from '../scene.js';

const Clock = Date;

/** Sets the wall clock of this process, without affecting the clock of its timers. */
function setClock(byMs: number): void {
  globalThis.Date = class extends Clock {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [Clock.now() + byMs] : args) as [number]));
    }

    static override now(): number {
      return Clock.now() + byMs;
    }
  } as DateConstructor;
}

const silent =
  (byMs: number) =>
  async (scene: Scene): Promise<void> => {
    await scene.inject({ type: 'freeze', at: 'body', verb: 'watch', count: 1 });
    setClock(byMs);
  };
const refused =
  (byMs: number) =>
  async (scene: Scene): Promise<void> => {
    await scene.inject({ type: 'answer', code: 503, verb: ['list', 'watch'], forMs: 30_000 });
    await scene.endWatch();
    setTimeout(() => setClock(byMs), 2_000);
  };
const clockSpec = { file: 'spec/rx/monotonicScheduler.spec.ts', title: 'goes on when the wall clock is set back or forward' };

const fileOf = (scene: Scene, what: string): string => join(scene.folder, what);

/** A kubeconfig whose plugin hangs while a file exists. */
function kubeconfigWithPlugin(scene: Scene): string {
  const [hangs, path] = [fileOf(scene, 'hangs'), fileOf(scene, 'kubeconfig')];
  const script = `if [ -e ${hangs} ]; then sleep 1000; fi; cat ${fileOf(scene, 'credentials')}`;
  const user = {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', script], interactiveMode: 'Never' },
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: scene.url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}

async function giveToken(scene: Scene, token: string): Promise<void> {
  await scene.control.act('add-token', { token: `${token}-${scene.namespace}`, user: 'informer' });
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: `${token}-${scene.namespace}` },
  };
  writeFileSync(fileOf(scene, 'credentials'), JSON.stringify(credential), { mode: 0o600 });
}

/** Faults in the informer's own process. */
export const processFaults: readonly FaultCase[] = [
  {
    id: 'clockBackSilent',
    fault: 'the wall clock is set back by an hour while a watch is silent',
    ownProcess: true,
    begin: silent(-3_600_000),
    promise: { noticedMs: 90_000, consistentMs: 90_000, perMinute: 5, lost: 'nothing' },
    spec: clockSpec,
  },
  {
    id: 'clockBackRetrying',
    fault: 'the wall clock is set back by an hour during 30 seconds of 503',
    ownProcess: true,
    lastsMs: 30_000,
    begin: refused(-3_600_000),
    promise: { noticedMs: 2_000, consistentMs: 60_000, perMinute: 20, lost: 'the states between' },
    spec: clockSpec,
  },
  {
    id: 'clockForward',
    fault: 'the wall clock is set forward by a day during 30 seconds of 503',
    ownProcess: true,
    lastsMs: 30_000,
    begin: refused(86_400_000),
    promise: { noticedMs: 2_000, consistentMs: 60_000, perMinute: 20, lost: 'the states between' },
    spec: clockSpec,
  },
  {
    id: 'hangingPlugin',
    fault: 'the token is refused, and the credential plugin hangs for 90 seconds',
    ownProcess: true,
    ownServer: 'tls',
    noticedBy: 'ERR_AUTH',
    lastsMs: 90_000,
    client: (scene) => ({ kubeConfigFile: kubeconfigWithPlugin(scene), userAgent: scene.userAgent }),
    prepare: (scene) => giveToken(scene, 'old'),
    begin: async (scene) => {
      writeFileSync(fileOf(scene, 'hangs'), '');
      await scene.control.act('revoke-token', { token: `old-${scene.namespace}` });
      await giveToken(scene, 'new');
      await scene.endWatch();
    },
    end: (scene) => rmSync(fileOf(scene, 'hangs')),
    promise: { noticedMs: 65_000, consistentMs: 125_000, perMinute: 15, lost: 'the states between' },
    spec: { file: 'spec/client/node/kubeconfigFileCredentials.spec.ts', title: 'ends a process that hangs at its deadline' },
  },
];
