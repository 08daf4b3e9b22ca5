// A test as a user of jest would write it, with the matchers of jest and of rx-informer/testing.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { createInformer, type SharedInformer, type V1Pod } from 'rx-informer';
import { advanceBy, expiredStatus, FakeListerWatcher, pod } from 'rx-informer/testing';
import { countRestarts } from './restartCounter.js';

const withRestarts = (name: string, restartCount: number): V1Pod =>
  pod(name, { status: { containerStatuses: [{ name: 'main', image: 'nginx', imageID: '', ready: true, restartCount }] } });

describe('countRestarts', () => {
  let scheduler: VirtualTimeScheduler;
  let server: FakeListerWatcher<V1Pod>;
  let informer: SharedInformer<V1Pod>;
  let restarts: () => number;

  beforeEach(() => {
    scheduler = new VirtualTimeScheduler();
    server = new FakeListerWatcher<V1Pod>({ scheduler, resource: 'pods' });
    informer = createInformer(server, { scheduler, logger: { warn: () => undefined } });
    server.add(withRestarts('web', 3));
    restarts = countRestarts(informer);
    informer.start();
  });

  it('starts from what was there', () => {
    expect(restarts()).toBe(0);
  });

  it('counts what happens afterwards', () => {
    server.modify(withRestarts('web', 4));
    server.add(withRestarts('db', 0));
    server.modify(withRestarts('db', 2));
    expect(restarts()).toBe(3);
  });

  it('misses none while the connection is down', () => {
    server.stop();
    server.modify(withRestarts('web', 5));
    server.start();
    advanceBy(scheduler, 60_000);
    expect(restarts()).toBe(2);
  });

  it('sees a deletion that happened while nobody was watching', () => {
    server.loseEvents(() => server.delete('default/web'));
    server.compact();
    server.fail(expiredStatus('2', '3'));
    advanceBy(scheduler, 60_000);
    expect(informer.lister.list()).toEqual([]);
  });
});
