import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';

import { createInformer, resources, type V1ConfigMap } from 'rx-informer';
import { ownerKeys } from '../../src/owners/ownerKeys.js';
import { setControllerReference } from '../../src/owners/ownerReferences.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { lineOf } from './outcomeLog.js';

const { configmaps, secrets } = resources.core.v1;
const inDefault = { namespace: 'default' };

let server: TestApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

describe('reconcile, over informers', () => {
  it('keeps a secret for each config map, also when somebody deletes it, and stops gently', async () => {
    const { client } = server;
    const create = (name: string): Promise<V1ConfigMap> =>
      client.create(configmaps, { metadata: { name, ...inDefault }, data: { made: 'yes' } });
    await create('first');
    const owners = createInformer(client, configmaps, { ...inDefault, fieldSelector: 'metadata.name!=kube-root-ca.crt' });
    const dependents = createInformer(client, secrets, inDefault);
    const stop$ = new Subject<void>();
    const lines: string[] = [];
    let seen: () => void = () => undefined;
    const until = async (condition: () => boolean): Promise<void> => {
      while (!condition()) await new Promise<void>((resolve) => (seen = resolve));
    };

    const ended = new Promise<void>((resolve, reject) => {
      reconcile({
        sources: { owners: owners.resource$, dependents: dependents.resource$.pipe(ownerKeys(configmaps)) },
        caches: [owners, dependents],
        stop$,
        reconcile: async ({ key }) => {
          const owner = owners.indexer.getByKey(key);
          if (owner === undefined || dependents.indexer.getByKey(key) !== undefined) return;
          await client.create(secrets, setControllerReference<object>({ metadata: { name: owner.metadata?.name, ...inDefault } }, owner));
        },
      }).subscribe({
        next: (outcome) => {
          lines.push(lineOf(outcome));
          seen();
        },
        error: reject,
        complete: resolve,
      });
    });

    await until(() => dependents.indexer.getByKey('default/first') !== undefined);
    await create('second');
    await until(() => dependents.indexer.getByKey('default/second') !== undefined);
    const before = dependents.indexer.getByKey('default/first')?.metadata?.uid;
    await client.delete(secrets, 'first', inDefault);
    await until(() => ![undefined, before].includes(dependents.indexer.getByKey('default/first')?.metadata?.uid));

    stop$.next();
    await ended;
    expect(lines.at(-1)).toBe('stopped, abandoned []');
    expect(lines.filter((line) => line.startsWith('failed'))).toEqual([]);
    await Promise.all([owners.stop(), dependents.stop()]);
  });
});
