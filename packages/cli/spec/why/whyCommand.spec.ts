import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { resources, type V1CustomResourceDefinition } from 'rx-informer';
import { runCli } from '../../src/runCli.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from '../fakeTerminal.js';
import { websites } from '../types/webSite.js';

const inDefault = { namespace: 'default' };

describe('rx-informer why', () => {
  let server: TestApiServer;

  beforeAll(async () => {
    server = await startApiServer({ managedFields: true });
    const { client } = server;
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } };
    const deployment = await client.create(resources.apps.v1.deployments, {
      metadata: { name: 'web', ...inDefault },
      spec: { selector: { matchLabels: labels }, template },
    });
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: deployment.metadata?.uid ?? '', controller: true };
    const replicaSet = await client.create(resources.apps.v1.replicasets, {
      metadata: { name: 'web-1', ...inDefault, ownerReferences: [owner] },
      spec: { selector: { matchLabels: labels }, template },
    });
    const ofReplicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name: 'web-1',
      uid: replicaSet.metadata?.uid ?? '',
      controller: true,
    };
    const pod = await client.create(resources.core.v1.pods, {
      metadata: { name: 'web-1-a', ...inDefault, labels, ownerReferences: [ofReplicaSet] },
      spec: template.spec,
    });
    const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' };
    const containerStatuses = [
      {
        name: 'c',
        image: 'x',
        imageID: '',
        ready: false,
        restartCount: 3,
        state: { waiting },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      },
    ];
    const conditions = [
      { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [c]\u001b[31m' },
    ];
    await client.status.patch(
      resources.core.v1.pods,
      'web-1-a',
      'merge',
      { status: { phase: 'Running', containerStatuses, conditions } },
      { ...inDefault, fieldManager: 'kubelet' },
    );
    const { uid = '' } = pod.metadata ?? {};
    await client.create(resources.core.v1.events, {
      metadata: { name: 'e1', ...inDefault },
      involvedObject: { kind: 'Pod', name: 'web-1-a', ...inDefault, uid },
      ...{
        type: 'Warning',
        reason: 'BackOff',
        message: 'Back-off restarting failed container',
        count: 4,
        lastTimestamp: new Date().toISOString(),
      },
    });
  });

  afterAll(() => server.close());

  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(['why', ...args, '--server', server.url], terminal), ...terminal.written };
  };

  it('says what keeps a pod from being ready, whose it is, what happened, and who changed it', async () => {
    const { code, out, err } = await run('pod/web-1-a');
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines[0]).toBe(
      'pod/web-1-a in default: not ready: container c waits: back-off 10s restarting failed container; it last ended with OOMKilled, exit code 137',
    );
    expect(out).toMatch(/\nOwned by\n {2}replicaset\/web-1 +\S.*\n {2}deployment\/web +\S.*\n/);
    expect(out).toMatch(/\nConditions\n {2}Ready +False +\? +ContainersNotReady: containers with unready status: \[c\]\\u001b\[31m\n/);
    expect(out).toMatch(/\nEvents\n {2}\d+s ago +Warning +pod\/web-1-a +BackOff +Back-off restarting failed container \(4 times\)\n/);
    expect(out).toMatch(/\nChanged last by\n {2}\d+s ago +kubelet, update of status +\.status\.conditions, .*\.status\.containerStatuses/);
  });

  it('says that nothing is wrong', async () => {
    const { out } = await run('namespaces', 'default', 'kube-system', '--color', 'always');
    expect(out.replaceAll('\u001b', 'ESC')).toMatch(
      /^ESC\[1mnamespace\/defaultESC\[22m: ESC\[32mreadyESC\[39m\n[^]*\nESC\[1mnamespace\/kube-system/,
    );
  });

  it('does not call an object unready of which nothing says whether it is ready', async () => {
    const { client } = server;
    await client.create(resources.rbac.v1.roles, { metadata: { name: 'reader', ...inDefault } });
    expect((await run('role/reader')).out).toMatch(/^role\/reader in default: exists; its kind has no readiness\n/);
    const definition = parse(await readFile('packages/cli/spec/types/website.yaml', 'utf8')) as V1CustomResourceDefinition;
    await client.create(resources.apiextensions.v1.customresourcedefinitions, definition);
    await client.create(websites, { metadata: { name: 'web', ...inDefault }, spec: { host: 'a.example.com', image: 'x' } });
    expect((await run('website/web')).out).toMatch(/: exists; no controller has written its status yet\n/);
    const condition = { type: 'Served', status: 'False', reason: 'NoImage', message: 'no x', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const status = { conditions: [condition] };
    await client.status.patch(websites, 'web', 'merge', { status }, inDefault);
    expect((await run('website/web')).out).toMatch(/: exists; it has no condition Ready; Served is False: NoImage: no x\n/);
    const ready = { conditions: [condition, { ...condition, type: 'Ready' }] };
    await client.status.patch(websites, 'web', 'merge', { status: ready }, inDefault);
    expect((await run('website/web')).out).toMatch(/: not ready: Served is False: NoImage: no x\n/);
  });

  it('takes a condition that is bad when it is true for no reason while it is false, and for the best one while it is true', async () => {
    const { nodes } = resources.core.v1;
    await server.client.create(nodes, { metadata: { name: 'n1' } });
    const pressure = { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', message: 'sufficient memory' };
    const ready = { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'no network' };
    await server.client.status.patch(nodes, 'n1', 'merge', { status: { conditions: [pressure, ready] } });
    expect((await run('node/n1')).out).toMatch(/: not ready: Ready is False: KubeletNotReady: no network\n/);
    const full = { type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure', message: 'the disk is full' };
    await server.client.status.patch(nodes, 'n1', 'merge', { status: { conditions: [pressure, ready, full] } });
    expect((await run('node/n1')).out).toMatch(/: not ready: DiskPressure is True: KubeletHasDiskPressure: the disk is full\n/);
  });

  it('says which owner is missing', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'web-1-a', uid: 'of-another-life' }];
    server.objects.put({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'orphan', ...inDefault, ownerReferences, finalizers: ['example.com/x'] },
    });
    expect((await run('cm/orphan')).out).toMatch(/pod\/web-1-a +another object has this name now/);
  });

  it.each([
    [['pods'], 2, 'expected the name of an object, as in pods/NAME'],
    [['pod/nope'], 1, 'pods "nope" not found'],
  ])('says in one line what is wrong with %j', async (args, code, message) => {
    const result = await run(...args);
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.err).toContain(message);
    expect(result.err.trim().split('\n')).toHaveLength(1);
  });
});
