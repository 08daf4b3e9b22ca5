import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, type Observable } from 'rxjs';
import { createInformer, customResource, type InformerHealth, type KubernetesObject, resources } from 'rx-informer';
import { type RealApiServer, startRealApiServer } from '@rx-informer/api-server';
import { convert, installWebhooks } from '@rx-informer/controller/webhooks';
import { apiServerArgs } from '../../tools/real/apiServerArgs.js';

interface Site extends KubernetesObject {
  readonly spec: { readonly host: string };
}
const names = { group: 'example.com', plural: 'sites', kind: 'Site', namespaced: true };
const v1 = customResource<Site>({ ...names, version: 'v1' });
const v1beta1 = customResource<Site>({ ...names, version: 'v1beta1' });
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** How long a server keeps watches open that it cannot serve any more, by what was seen, and the way to it on a busy machine. */
const silenceMs = 45_000;
/** Two waits between attempts at their longest. */
const returnMs = 120_000;

describe('a conversion that fails, on a real API server', () => {
  let server: RealApiServer;
  let installed: Awaited<ReturnType<typeof installWebhooks>>;
  let fails = false;
  const fromHub = (site: Site): Site => {
    if (fails) throw new Error('no conversion for a while');
    return site;
  };

  beforeAll(async () => {
    server = await startRealApiServer({ apiServerArgs });
    const versions = ['v1', 'v1beta1'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
    await server.client.create(resources.apiextensions.v1.customresourcedefinitions, {
      metadata: { name: 'sites.example.com' },
      spec: { group: names.group, scope: 'Namespaced', names: { plural: names.plural, kind: names.kind }, versions },
    });
    installed = await installWebhooks(server.client, [convert(v1, { resource: v1beta1, toHub: (site) => site, fromHub })], {
      logger: silent,
    });
  });
  afterAll(async () => {
    await installed.close();
    await server.close();
  });

  const create = (name: string): Promise<Site> =>
    server.client.create(v1, { metadata: { name, namespace: 'default' }, spec: { host: name } });
  /** Resolves once a value is right. */
  const once = <V>(values$: Observable<V>, isRight: (value: V) => boolean): Promise<unknown> =>
    firstValueFrom(values$.pipe(filter(isRight)), { defaultValue: undefined });
  const when = (health$: Observable<InformerHealth>, state: string): Promise<unknown> => once(health$, (health) => health.state === state);

  it('ends the watches of that version, with its message, and the cache is right again once it works', async () => {
    await create('before');
    const informer = createInformer(server.client, v1beta1, { logger: silent });
    await informer.whenSynced();
    await when(informer.health$, 'watching');
    const causes: string[] = [];
    informer.error$.subscribe(({ message }) => void causes.push(message));
    fails = true;
    await create('meanwhile');
    const begun = performance.now();
    await expect(server.client.list(v1beta1)).rejects.toMatchObject({
      code: 500,
      message: expect.stringContaining('no conversion for a while') as unknown,
    });
    await when(informer.health$, 'retrying');
    expect(performance.now() - begun).toBeLessThan(silenceMs);
    // The first answer may be that the storage begins anew, without the cause.
    await once(informer.error$, ({ message }) => message.includes('no conversion for a while'));
    expect(informer.lister.list().map(({ metadata }) => metadata?.name)).toEqual(['before']);
    fails = false;
    const mended = performance.now();
    await once(informer.change$, () => informer.lister.list().length === 2);
    await when(informer.health$, 'watching');
    expect(performance.now() - mended).toBeLessThan(returnMs);
    expect(causes[0]).toContain('storage is (re)initializing');
    await informer.stop();
  }, 300_000);
});
