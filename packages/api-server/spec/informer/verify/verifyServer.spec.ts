import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { createInformer, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { verification, verifyInformer, tracing } from 'rx-informer/pipeline';
import { traceMetrics } from '@rx-informer/controller/metrics';
import { startApiServer, type TestApiServer } from '../../../src/startApiServer.js';

const none = { defaultValue: undefined };
const quiet = { logger: { warn: () => undefined } };

describe('verify over HTTP', () => {
  let server: TestApiServer;

  beforeEach(async () => {
    server = await startApiServer();
  });

  afterEach(() => server.close());

  const put = (name: string, namespace = 'default', value = name): void => {
    const labels = { app: value.length > 3 ? 'long' : 'short' };
    const configMap: V1ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data: { value } };
    server.objects.put(configMap);
  };
  const has = (informer: SharedInformer<V1ConfigMap>, key: string): Promise<unknown> =>
    firstValueFrom(informer.index$.pipe(filter((index) => index.has(key))), { defaultValue: undefined });

  it('agrees with what lists and watches have brought, contents included, with selectors and several namespaces', async () => {
    put('a');
    put('b', 'kube-system');
    const everything = createInformer(server.client, resources.core.v1.configmaps);
    const some = createInformer(server.client, resources.core.v1.configmaps, {
      namespace: ['default', 'kube-system'],
      labelSelector: 'app=short',
    });
    await Promise.all([everything.whenSynced(), some.whenSynced()]);
    put('a', 'default', 'a much longer one');
    put('c');
    put('last', 'default', 'x');
    await Promise.all([has(everything, 'default/last'), has(some, 'default/last')]);
    await expect(verifyInformer(everything, { contents: true, pageSize: 1 })).resolves.toMatchObject({ isConsistent: true, count: 4 });
    await expect(verifyInformer(everything)).resolves.toMatchObject({ isConsistent: true, count: 4 });
    await expect(verifyInformer(some, { contents: true })).resolves.toMatchObject({ isConsistent: true, count: 3 });
    await Promise.all([everything.stop(), some.stop()]);
  });

  it('finds a deletion that no watch has told', async () => {
    for (const name of ['a', 'gone']) put(name);
    const informer = createInformer(server.client, resources.core.v1.configmaps, quiet);
    await informer.whenSynced();
    server.faults.inject({ type: 'event', action: 'drop', eventType: 'DELETED', count: 1 });
    await server.client.delete(resources.core.v1.configmaps, 'gone', { namespace: 'default' });
    put('last');
    await has(informer, 'default/last');
    const { isConsistent, missing, extra, differing } = await verifyInformer(informer);
    expect({ isConsistent, missing, differing }).toEqual({ isConsistent: false, missing: [], differing: [] });
    expect(extra.map(({ key }) => key)).toEqual(['default/gone']);
    await informer.stop();
  });

  it('rejects when the server has compacted the version', async () => {
    const informer = createInformer(server.client, resources.core.v1.configmaps, quiet);
    await informer.whenSynced();
    server.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'another' } });
    server.faults.compact();
    await expect(verifyInformer(informer)).rejects.toMatchObject({ reason: 'Expired' });
    await informer.stop();
  });

  it('mends by itself what no watch has told, where it is asked to verify', async () => {
    for (const name of ['a', 'gone']) put(name);
    const counted: string[] = [];
    const trace = traceMetrics({
      failure: (code) => counted.push(code),
      difference: ({ reason, type }) => counted.push(`${reason} ${type}`),
    });
    const informer = createInformer(server.client, resources.core.v1.configmaps, {
      ...quiet,
      parts: [verification({ everyMs: 1_000 }), tracing(trace)],
    });
    const errors: string[] = [];
    informer.error$.subscribe(({ code }) => errors.push(code));
    await informer.whenSynced();
    server.faults.inject({ type: 'event', action: 'drop', eventType: 'DELETED', count: 1 });
    await server.client.delete(resources.core.v1.configmaps, 'gone', { namespace: 'default' });
    put('last');
    await firstValueFrom(informer.index$.pipe(filter((index) => index.has('default/last') && !index.has('default/gone'))), none);
    expect(errors).toEqual(['ERR_DRIFT']);
    expect(counted).toEqual(['ERR_DRIFT', 'period deleted']);
    await expect(verifyInformer(informer)).resolves.toMatchObject({ isConsistent: true });
    await informer.stop();
  });
});
