import { describe, expect, it } from '@jest/globals';
import { throwError, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../src/api/resources.js';
import { isForbidden } from '../../src/api/errors/apiError.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { statusError } from '../../src/testing/fakes/serverErrors.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import type { ListRequest, WatchRequest } from '../../src/api/listerWatcher.js';

const refused = (verb: string, where = '') =>
  statusError(403, 'Forbidden', `pods is forbidden: User "u" cannot ${verb} resource "pods"${where}`);

/** A client of a user with these permissions. */
function worldOf(rights: Set<string>) {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler });
  server.add({ metadata: { namespace: 'a', name: 'x' } });
  const client = {
    listChunks: (_: unknown, request: ListRequest) =>
      rights.has('list') ? server.list(request) : throwError(() => refused('list', ' at the cluster scope')),
    watch: (_: unknown, request: WatchRequest) => (rights.has('watch') ? server.watch(request) : throwError(() => refused('watch'))),
  } as never;
  return {
    ...{ scheduler, server },
    informerIn: (namespace?: string) =>
      createInformer(client, resources.core.v1.pods, { ...{ namespace, scheduler }, random: () => 0.5, logger: { warn: () => undefined } }),
  };
}

describe('an informer of a user who may list and not watch', () => {
  it('lists again from time to time, says so, and watches as soon as that is granted', () => {
    const rights = new Set(['list']);
    const { scheduler, server, informerIn } = worldOf(rights);
    const informer = informerIn();
    informer.start();
    advanceBy(scheduler, 1_000);
    expect([informer.hasSynced(), informer.lister.list().length]).toEqual([true, 1]);
    const { state, error } = informer.health();
    expect([state, isForbidden(error), error?.message]).toEqual([
      'retrying',
      true,
      'Cannot watch pods: pods is forbidden: User "u" cannot watch resource "pods"; the resource may be listed but not watched, so it is listed again after a backoff',
    ]);
    server.add({ metadata: { namespace: 'a', name: 'y' } });
    // The longest backoff.
    advanceBy(scheduler, 46_000);
    expect(informer.lister.list()).toHaveLength(2);
    rights.add('watch');
    advanceBy(scheduler, 120_000);
    server.add({ metadata: { namespace: 'a', name: 'z' } });
    expect([informer.health().state, informer.lister.list().length]).toEqual(['watching', 3]);
    void informer.stop();
  });
});

describe('an informer of a user who may not list all namespaces', () => {
  it('names permittedNamespaces, and works as soon as it may', () => {
    const rights = new Set<string>();
    const { scheduler, informerIn } = worldOf(rights);
    const informer = informerIn();
    informer.start();
    advanceBy(scheduler, 1_000);
    expect(informer.health().error?.message).toMatch(
      /at the cluster scope; `permittedNamespaces` follows the namespaces that may be read$/,
    );
    rights.add('list').add('watch');
    advanceBy(scheduler, 60_000);
    expect([informer.health().state, informer.lister.list().length]).toEqual(['watching', 1]);
    void informer.stop();
  });

  it('does not name it for one namespace', () => {
    const { scheduler, informerIn } = worldOf(new Set());
    const informer = informerIn('a');
    informer.start();
    advanceBy(scheduler, 1_000);
    expect(informer.health().error?.message).not.toContain('permittedNamespaces');
    void informer.stop();
  });
});
