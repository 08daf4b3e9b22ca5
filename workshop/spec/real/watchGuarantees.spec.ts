import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { map } from 'rxjs';
import { type KubernetesObject, resources } from 'rx-informer';
import { type ListerWatcher, listerWatcher } from 'rx-informer/pipeline';
import { type RealApiServer, startRealApiServer } from '@rx-informer/api-server';
import type { Target } from '../../../packages/api-server/spec/support/target.js';
import { targetOf } from '../../../packages/api-server/spec/support/targetOf.js';
import { guaranteeRun } from '../../../packages/api-server/spec/testing/suites/guarantees/guaranteeRun.js';
import { apiServerArgs } from '../../tools/real/apiServerArgs.js';

const startMs = 120_000;

describe('watch guarantees, of a real API server', () => {
  let server: RealApiServer;
  let target: Target;
  beforeAll(async () => {
    server = await startRealApiServer({ apiServerArgs });
    target = targetOf(server);
  }, startMs);
  afterAll(() => server.close());

  const source = (namespace: string): ListerWatcher<KubernetesObject> =>
    listerWatcher(server.client, resources.core.v1.configmaps, { namespace });
  const informers = (namespace: string): Readonly<Record<string, ListerWatcher<KubernetesObject>>> => {
    return { 'informer with LIST': { ...source(namespace), watchList: false }, 'informer with WatchList': source(namespace) };
  };

  it.each([1, 2, 3])(
    'hold for every client, seed %i',
    async (seed) => {
      const { violations, unknown, late, acknowledged } = await guaranteeRun(target, { seed, steps: 300, informers });
      expect({ violations, unknown, late }).toEqual({ violations: [], unknown: [], late: [] });
      expect(acknowledged).toBeGreaterThan(150);
    },
    startMs,
  );

  it(
    'hold when the server is killed in the middle, and etcd has forgotten what was before',
    async () => {
      const between = async (): Promise<void> => {
        await server.compact();
        await server.restart('SIGKILL');
      };
      const { violations, unknown, late } = await guaranteeRun(target, { seed: 4, steps: 200, informers, between });
      expect({ violations, unknown, late }).toEqual({ violations: [], unknown: [], late: [] });
    },
    startMs,
  );

  it(
    'are seen to be broken when a client leaves a deletion out',
    async () => {
      const deaf = (namespace: string): Record<string, ListerWatcher<KubernetesObject>> => {
        const hearing = source(namespace);
        return {
          deaf: {
            ...hearing,
            watch: (request) => hearing.watch(request).pipe(map((part) => part.filter(({ type }) => type !== 'DELETED'))),
          },
        };
      };
      const { violations } = await guaranteeRun(target, { seed: 5, steps: 60, informers: deaf });
      expect(violations.map(({ guarantee, client }) => `${client}: ${guarantee}`)).toContain('deaf: Reliable');
    },
    startMs,
  );
});
