import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { KubernetesObject } from 'rx-informer';
import { startApiServer, startWorkload, type TestApiServer, type Workload } from '@rx-informer/api-server';
import { freePorts } from '../../../../packages/api-server/src/real/freePorts.js';

/** How long one step may take: a pod of the workload lives some seconds. */
const longestMs = 120_000;

/** An object with the fields that a condition looks at. */
export type Found = KubernetesObject & {
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] };
};

interface Condition {
  readonly type: string;
  readonly status: string;
}

export function hasCondition(object: Found | undefined, type: string): boolean {
  return object?.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

/** An operator at work: an embedded server with a workload, and the operator's programs. */
export class OperatorRun {
  readonly server: TestApiServer;
  /** Files of this run. */
  readonly files: string = mkdtempSync(join(tmpdir(), 'rx-informer-operator-'));
  /** The operator's module. */
  readonly sources: string;
  private readonly workload: Workload;
  private readonly ports: ReadonlyMap<string, number>;
  private readonly running: ChildProcess[] = [];

  private constructor(server: TestApiServer, workload: Workload, ports: ReadonlyMap<string, number>, sources: string) {
    this.server = server;
    this.workload = workload;
    this.ports = ports;
    this.sources = sources;
  }

  /** Starts a server; `names` get a free port each, and a service of that name is reached there. */
  static async start(sources: string, names: readonly string[]): Promise<OperatorRun> {
    const free = await freePorts(names.length);
    const ports = new Map(names.map((name, at) => [name, free[at] ?? 0]));
    const addressOf = ({ name }: { readonly name: string }): string | undefined =>
      ports.has(name) ? `127.0.0.1:${String(ports.get(name))}` : undefined;
    const server = await startApiServer({ serviceAddress: addressOf });
    return new OperatorRun(server, await startWorkload(server.client), ports, sources);
  }

  portOf(name: string): number {
    const port = this.ports.get(name);
    if (port === undefined) throw new TypeError(`Expected one of ${[...this.ports.keys()].join(', ')}, got ${name}`);
    return port;
  }

  /** Starts a program, whose messages are shown with `DEBUG` alone. */
  program(path: string, args: readonly string[]): void {
    const stdio = process.env['DEBUG'] === undefined ? 'ignore' : 'inherit';
    this.running.push(spawn(path, args, { env: { ...process.env, KUBECONFIG: this.server.kubeconfigPath }, stdio }));
  }

  /** An object as the server has it now. */
  get(apiVersion: string, kind: string, namespace: string, name: string): Found | undefined {
    return this.server.objects.get({ apiVersion, kind, metadata: { namespace, name } });
  }

  /** Waits for an operator to be so far. */
  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + longestMs;
    while (!(await isSo())) {
      const ended = this.running.find(({ exitCode }) => exitCode !== null);
      if (ended !== undefined) throw new Error(`${what}: ${ended.spawnfile} has ended with ${String(ended.exitCode)}`);
      if (Date.now() > end) throw new Error(`${what}: not within ${String(longestMs / 1_000)} s`);
      await wait(200);
    }
  }

  /** Waits until a URL answers with a text that holds others. */
  async untilShown(url: string, ...texts: readonly string[]): Promise<void> {
    await this.until(`${url} shows ${texts.join(' and ') || 'success'}`, async () => {
      const answer = await fetch(url).catch(() => undefined);
      const shown = (await answer?.text()) ?? '';
      return answer?.ok === true && texts.every((text) => shown.includes(text));
    });
  }

  /** Creates an object as a user would, and again as long as the operator's webhook does not answer. */
  async create(path: string, object: object): Promise<void> {
    let said = '';
    await this.until(`${path} is created`, async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${this.server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(object) });
      said = await answer.text();
      if (answer.status < 500 && !answer.ok) throw new Error(`${path}: ${said}`);
      return answer.ok;
    });
  }

  async stop(): Promise<void> {
    const left = this.running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = left.map((program) => once(program, 'close'));
    for (const program of left) program.kill('SIGKILL');
    await Promise.all(ended);
    await this.workload.stop();
    await this.server.close();
    rmSync(this.files, { recursive: true });
  }
}
