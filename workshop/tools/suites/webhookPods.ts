import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Pod, V1Secret, V1Service } from 'rx-informer';
import type { TestApiServer } from '@rx-informer/api-server';
import type { WebhookService } from '@rx-informer/api-server/internal';
import { freePorts } from '../../../packages/api-server/src/real/freePorts.js';

interface Running {
  readonly pod: V1Pod;
  readonly port: number;
  readonly folder: string;
  readonly program: ChildProcess;
}

const webhooks = new Set(['webhook', 'crd-conversion-webhook']);

/** The arguments of a pod's container, where it is one that answers webhooks. */
function webhookArgs({ spec }: V1Pod): readonly string[] | undefined {
  const [container] = spec?.containers ?? [];
  const [command = ''] = container?.args ?? [];
  return container?.image?.includes('/agnhost:') === true && webhooks.has(command) ? container.args : undefined;
}

/** Runs webhooks that stand in pods as processes of this machine: the part of a kubelet and of a network that they need. */
export class WebhookPods {
  private readonly program: string;
  private readonly running = new Map<string, Running>();
  private server: TestApiServer | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** `program` takes the arguments of Kubernetes' test image agnhost. */
  constructor(program: string) {
    this.program = program;
  }

  /** Where a service is reached whose pods run here. */
  readonly addressOf = ({ namespace, name }: WebhookService): string | undefined => {
    const service = this.server?.objects.get({ apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } }) as V1Service | undefined;
    const selector = Object.entries(service?.spec?.selector ?? {});
    const found = [...this.running.values()].find(
      ({ pod }) =>
        selector.length > 0 &&
        pod.metadata?.namespace === namespace &&
        selector.every(([key, value]) => pod.metadata?.labels?.[key] === value),
    );
    return found && `127.0.0.1:${String(found.port)}`;
  };

  /** Runs those of a server's pods from now on. */
  serve(server: TestApiServer): void {
    this.server = server;
    this.timer = setInterval(() => void this.look(server), 100);
  }

  stop(): void {
    clearInterval(this.timer);
    for (const uid of this.running.keys()) this.end(uid);
  }

  private async look(server: TestApiServer): Promise<void> {
    const pods = server.objects.list({ apiVersion: 'v1', kind: 'Pod' }) as readonly V1Pod[];
    const uids = new Set(pods.map(({ metadata }) => metadata?.uid));
    for (const uid of this.running.keys()) if (!uids.has(uid)) this.end(uid);
    for (const pod of pods) {
      const args = webhookArgs(pod);
      if (args === undefined || this.running.has(pod.metadata?.uid ?? '')) continue;
      const [port = 0] = await freePorts(1);
      this.begin(server, pod, args, port);
    }
  }

  private begin(server: TestApiServer, pod: V1Pod, args: readonly string[], port: number): void {
    const { uid = '', namespace = '' } = pod.metadata ?? {};
    if (this.running.has(uid)) return;
    const folder = mkdtempSync(join(tmpdir(), 'rx-informer-webhook-'));
    for (const { name, mountPath } of pod.spec?.containers[0]?.volumeMounts ?? []) {
      const secret = pod.spec?.volumes?.find((volume) => volume.name === name)?.secret?.secretName;
      if (secret === undefined) continue;
      const found = server.objects.get({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secret } }) as V1Secret | undefined;
      mkdirSync(join(folder, mountPath), { recursive: true });
      for (const [file, data] of Object.entries(found?.data ?? {})) writeFileSync(join(folder, mountPath, file), data, 'base64');
    }
    // Its files are elsewhere, and its port may be that of another pod.
    const own = args.map((arg) => arg.replace(/^--port=.*/, `--port=${String(port)}`).replace(/=\//, `=${folder}/`));
    const program = spawn(this.program, own, { stdio: 'ignore' });
    this.running.set(uid, { pod, port, folder, program });
  }

  private end(uid: string): void {
    const found = this.running.get(uid);
    found?.program.kill();
    if (found !== undefined) rmSync(found.folder, { recursive: true });
    this.running.delete(uid);
  }
}
