import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { customResource, type KubeClient, type KubernetesObject, resources, type V1CustomResourceDefinition } from 'rx-informer';
import { type RunningApiServer, startEitherApiServer } from '@rx-informer/api-server';
import { breaches } from '../../src/webhooks/breaches.js';
import { convert } from '../../src/webhooks/convert.js';
import { type InstalledWebhooks, installWebhooks } from '../../src/webhooks/installWebhooks.js';
import type { ReviewReport } from '../../src/webhooks/reviewObserver.js';
import { servedOf, type Webhook } from '../../src/webhooks/webhook.js';

interface Site extends KubernetesObject {
  readonly spec: { readonly hosts: readonly string[] };
}
interface OldSite extends KubernetesObject {
  readonly spec: { readonly host: string };
}

const names = { group: 'example.com', plural: 'sites', kind: 'Site', namespaced: true };
const v1 = customResource<Site>({ ...names, version: 'v1' });
const v1beta1 = customResource<OldSite>({ ...names, version: 'v1beta1' });
const v1alpha1 = customResource<OldSite>({ ...names, version: 'v1alpha1' });
const inDefault = { namespace: 'default' };
const silent = { info: () => undefined, error: () => undefined };
const rest = 'example.com/hosts';

/** Keeps what the old version cannot express in an annotation. */
const toHub = ({ spec: { host }, ...site }: OldSite): Site => {
  const { annotations: { [rest]: more, ...annotations } = {}, ...metadata } = site.metadata ?? {};
  return {
    ...site,
    metadata: { ...metadata, annotations },
    spec: { hosts: more === undefined ? [host] : [host, ...(JSON.parse(more) as string[])] },
  };
};
const fromHub = ({ spec: { hosts }, ...site }: Site): OldSite => {
  const [host = '', ...more] = hosts;
  const annotations = { ...site.metadata?.annotations, ...(more.length > 0 && { [rest]: JSON.stringify(more) }) };
  return { ...site, metadata: { ...site.metadata, annotations }, spec: { host } };
};
const oldest = { resource: v1alpha1, toHub, fromHub };
const sites = convert(v1, { resource: v1beta1, toHub, fromHub }, oldest);

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const definition: V1CustomResourceDefinition = {
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', kind: 'Site' },
    versions: ['v1', 'v1beta1', 'v1alpha1'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
  },
};
const siteOf = (hosts: readonly string[]): Site => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Site' },
  metadata: { name: 'web', ...inDefault, annotations: {} },
  spec: { hosts },
});

describe('convert', () => {
  let server: RunningApiServer;
  let client: KubeClient;
  let installed: InstalledWebhooks | undefined;

  beforeEach(async () => {
    server = await startEitherApiServer();
    ({ client } = server);
    await client.create(resources.apiextensions.v1.customresourcedefinitions, definition);
  });
  afterEach(async () => {
    await installed?.close();
    await server.close();
  });

  const install = async (webhook: Webhook): Promise<void> => {
    installed = await installWebhooks(client, [webhook], { logger: silent });
  };

  it('converts to the version that is asked for, by way of the hub', async () => {
    await install(sites);
    await client.create(v1, siteOf(['a', 'b']));
    expect(await client.get(v1beta1, 'web', inDefault)).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { host: 'a' } });
    const old = await client.get(v1alpha1, 'web', inDefault);
    await client.replace(v1alpha1, { ...old, spec: { host: 'c' } });
    expect((await client.get(v1, 'web', inDefault)).spec.hosts).toEqual(['c', 'b']);
    const { items } = await client.list(v1beta1, inDefault);
    expect(items.map(({ spec }) => spec.host)).toEqual(['c']);
  });

  it('waits until the API server calls it, and leaves nothing of that behind', async () => {
    const { customresourcedefinitions } = resources.apiextensions.v1;
    const lines: string[] = [];
    /** An API server that learns of definitions late. */
    const create: KubeClient['create'] = (resource, object, options) => {
      if (resource.group.endsWith('.rx-informer.test')) lines.push('asked');
      if (lines.length < 5 && resource.group.endsWith('.rx-informer.test')) return Promise.reject(new Error('not found'));
      return client.create(resource, object, options);
    };
    const observers = [{ ended: ({ webhook }: ReviewReport) => void lines.push(webhook) }];
    installed = await installWebhooks({ ...client, create }, [sites], { logger: silent, observers });
    expect(lines.slice(0, 5)).toEqual(['asked', 'asked', 'asked', 'asked', 'asked']);
    expect(lines[5]).toMatch(/^convert\.probes\.probe-.*\.rx-informer\.test$/);
    const { items } = await client.list(customresourcedefinitions);
    const left = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    expect(left.map(({ metadata }) => metadata?.name)).toEqual(['sites.example.com']);
  });

  it('gives the definition its former conversion at the end', async () => {
    await install(sites);
    await installed?.close();
    const { spec } = await client.get(resources.apiextensions.v1.customresourcedefinitions, 'sites.example.com');
    expect(spec.conversion).toEqual({ strategy: 'None' });
  });

  it('keeps the identity of an object, whatever the function makes of it', async () => {
    const careless = convert(
      v1,
      {
        resource: v1beta1,
        toHub: () => ({ metadata: { name: 'other', labels: { kept: 'yes' } }, spec: { hosts: [] } }),
        fromHub: () => ({ apiVersion: 'x/v9', kind: 'Other', spec: { host: '' } }),
      },
      oldest,
    );
    await install(careless);
    const { metadata, ...site } = siteOf(['a']);
    await client.create(v1, { ...site, metadata: { ...metadata, labels: { own: 'yes' } } });
    const read = await client.get(v1beta1, 'web', inDefault);
    const kept = { name: 'web', labels: { own: 'yes' }, ...inDefault };
    expect(read).toMatchObject({ apiVersion: 'example.com/v1beta1', kind: 'Site', metadata: kept });
  });

  it('fails the whole review for one object, and names it', async () => {
    const strict = convert(
      v1,
      {
        resource: v1beta1,
        toHub,
        fromHub: (site) => {
          if (site.spec.hosts.length > 1) throw new Error('only one host is possible');
          return fromHub(site);
        },
      },
      oldest,
    );
    await install(strict);
    await client.create(v1, siteOf(['a', 'b']));
    const message = expect.stringContaining(
      'Site default/web cannot be converted to example.com/v1beta1: only one host is possible',
    ) as unknown;
    await expect(client.get(v1beta1, 'web', inDefault)).rejects.toMatchObject({ code: 500, message });
    await expect(client.list(v1beta1)).rejects.toMatchObject({ code: 500, message });
  });

  it('refuses to change the frozen object that it gets', async () => {
    const changing = convert(v1, {
      resource: v1beta1,
      toHub,
      fromHub: (site) => {
        (site.spec as { hosts: string[] }).hosts = [];
        return fromHub(site);
      },
    });
    expect(await breaches(changing, [siteOf(['a'])])).toEqual([expect.stringContaining('Cannot assign to read only property')]);
  });

  it('says which version it lacks', async () => {
    const answer = servedOf(sites).answer(
      { desiredAPIVersion: 'example.com/v2', objects: [siteOf([])] },
      { signal: new AbortController().signal },
    );
    await expect(answer).rejects.toThrow('there is no conversion for example.com/v2, only for example.com/v1, example.com/v1beta1');
    const added = { name: 'v2', served: true, storage: false, schema };
    await client.patch(resources.apiextensions.v1.customresourcedefinitions, 'sites.example.com', 'json', [
      { op: 'add', path: '/spec/versions/-', value: added },
    ]);
    await expect(install(sites)).rejects.toThrow('Expected `convert` of Site to know each version of its definition, got none for v2');
  });

  it('is the identity there and back, for any object: the law', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), async (hosts) => {
        const site = siteOf(hosts);
        const old: OldSite = {
          ...site,
          apiVersion: 'example.com/v1beta1',
          spec: { host: createHash('md5').update(hosts.join()).digest('hex') },
        };
        expect(await breaches(sites, [site, old])).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('breaks the law where it loses something, and says what', async () => {
    const lossy = convert(v1, {
      resource: v1beta1,
      toHub,
      fromHub: ({ spec, ...site }) => ({ ...site, spec: { host: spec.hosts[0] ?? '' } }),
    });
    expect(await breaches(lossy, [siteOf(['a', 'b'])])).toEqual([
      'convert.sites.example.com: converting Site default/web to example.com/v1beta1 and back changes /spec/hosts/1',
    ]);
  });

  it('refuses wrong arguments', () => {
    const other = customResource<OldSite>({ ...names, kind: 'Other', version: 'v1beta1' });
    expect(() => convert(v1)).toThrow('another version than the hub, got none');
    expect(() => convert(v1, { resource: other, toHub, fromHub })).toThrow('Expected versions of Site.example.com, got Other.example.com');
    const twice = { resource: v1beta1, toHub, fromHub };
    expect(() => convert(v1, twice, twice)).toThrow('example.com/v1beta1 twice');
    expect(() => convert(v1, { resource: v1beta1, toHub } as never)).toThrow('an object with the methods toHub and fromHub, got an object');
  });
});
