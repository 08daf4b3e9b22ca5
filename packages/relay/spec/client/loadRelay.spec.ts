import { expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { resources, type V1Pod } from 'rx-informer';
import { advanceBy, pod } from 'rx-informer/testing';
import { fakeCollection } from '@rx-informer/views/testing';
import { loadRelay } from '../../src/client/loadRelay.js';
import { createRelay } from '../../src/serve/createRelay.js';

it('loads for each user what that user may see, also at once and with one function that knows whom it serves', async () => {
  const scheduler = new VirtualTimeScheduler();
  const pods = fakeCollection<V1Pod>([pod('ada/p'), pod('bob/p')], { name: 'pods', scheduler });
  const relay = createRelay({
    sources: { pods: { collection: pods, resource: resources.core.v1.pods } },
    authenticate: ({ headers }) => ({ name: headers.get('authorization')?.replace('Bearer ', '') ?? '' }),
    authorize: { review: ({ name }, { namespace }) => Promise.resolve(name === namespace) },
    scheduler,
  });
  const served = ['ada', 'bob'];
  const way = {
    fetch: ((url, init) => relay.fetch(new Request(url, init))) as typeof fetch,
    token: () => String(served.shift()),
    scheduler,
  };
  let loaded: readonly unknown[] = [];
  const load = () => loadRelay('http://localhost/relay', [{ kind: 'pods' }], way);
  void Promise.all([load(), load()]).then((states) => (loaded = states));
  for (let step = 0; step < 500 && loaded.length === 0; step += 1) {
    advanceBy(scheduler, 20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const keys = (loaded as readonly Record<string, { readonly held: readonly (readonly [string])[] }>[]).map((state) =>
    Object.values(state).flatMap(({ held }) => held.map(([key]) => key)),
  );
  expect(keys).toEqual([['ada/p'], ['bob/p']]);
  relay.stop();
});
