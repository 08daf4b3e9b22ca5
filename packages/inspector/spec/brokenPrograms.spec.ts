import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BehaviorSubject, Subject, VirtualTimeScheduler } from 'rxjs';
import { ApiError, createInformer, InformerError, resources } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { reconcile } from '@rx-informer/controller';
import { type Inspector, startInspector } from '../src/startInspector.js';
import { derive } from '@rx-informer/views';
import { init, list, modified, pod, type Pod } from '../../../spec/delta/pods.js';
import { fakeClient } from '../../../spec/informer/fakeClient.js';
import { lookAt } from './ask.js';

/** The warnings on the page for a program; the specs use nothing else. */
interface Said {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

const { pods } = resources.core.v1;
const quiet = { warn: () => undefined };

describe('whoever has only the page of a broken program', () => {
  let inspector: Inspector;
  let scheduler: VirtualTimeScheduler;
  let ends: (() => unknown)[];

  beforeEach(async () => {
    Reflect.deleteProperty(globalThis, Symbol.for('rx-informer.registry'));
    inspector = await startInspector();
    scheduler = new VirtualTimeScheduler();
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends) await end();
    await inspector.close();
  });

  const pass = (ms: number): void => {
    scheduler.maxFrames = scheduler.frame + ms;
    scheduler.schedule(() => undefined, ms);
    scheduler.flush();
  };
  const read = async (): Promise<readonly Said[]> => (await lookAt(inspector, {}))['warnings'] as unknown as readonly Said[];
  const only = async (): Promise<Said> => {
    const said = await read();
    expect(said).toHaveLength(1);
    return said[0] as Said;
  };
  const podsFrom = (source: Subject<SourceEvent<Pod>>) => {
    const informer = createInformer<Pod>(source, { name: 'pods', resource: 'pods', scheduler, logger: quiet });
    ends.push(() => informer.stop());
    return informer;
  };

  it('learns that a handler parses for too long', async () => {
    const source = new Subject<SourceEvent<Pod>>();
    const informer = podsFrom(source);
    informer.addEventHandler({ onUpdate: () => void (scheduler.frame += 120) }, { name: 'billing' });
    informer.start();
    for (const event of list('9', [pod('a', '1')])) source.next(event);
    expect(await read()).toEqual([]);
    for (const version of ['10', '11', '12']) source.next(modified(pod('a', version)));
    const { message, remedy } = await only();
    expect(message).toMatch(/The handler billing of the informer pods has taken more than 50 ms .* 120 ms at most/);
    expect(remedy).toContain('reconcile()');
  });

  it('learns that an operator is called by its own writes', async () => {
    const states$ = new BehaviorSubject('default/site');
    const loop = reconcile({
      name: 'sites',
      sources: { sites: states$ },
      reconcile: ({ key }) => {
        // Each write, for example of `lastReconciled`, is a change that triggers the controller again.
        scheduler.schedule(() => states$.next(key), 50);
        return [{}];
      },
      scheduler,
    }).subscribe();
    ends.push(() => loop.unsubscribe());
    expect(await read()).toEqual([]);
    pass(60_000);
    const { message, remedy } = await only();
    expect(message).toMatch(
      /The controller sites was called for default\/site \d{3,4} times within a minute, without a pause for \d\d s, the last time because of sites/,
    );
    expect(message).toContain('its own writes');
    expect(remedy).toContain('Write only if something differs');
  });

  it('learns that a role is missing', async () => {
    const source = new Subject<SourceEvent<Pod>>();
    podsFrom(source).resource$.subscribe();
    const cause = new ApiError({
      code: 403,
      message: 'pods is forbidden: User "system:serviceaccount:shop:web" cannot list resource "pods"',
    });
    const error = new InformerError({ code: 'ERR_LIST', message: `Cannot list pods: ${cause.message}`, cause });
    source.next(init());
    for (let attempt = 1; attempt <= 4; attempt += 1) source.next({ type: 'status', state: 'retrying', error, attempt, nextAttemptAt: 0 });
    const { message, remedy } = await only();
    expect(message).toContain('User "system:serviceaccount:shop:web" cannot list resource "pods". Its cache is empty');
    expect(remedy).toContain('Grant this program the verbs list and watch of pods');
  });

  it('learns that everybody has made an informer of their own', async () => {
    const client = fakeClient(scheduler);
    const informers = ['api', 'metrics', 'cleanup'].map((name) => createInformer(client, pods, { name, scheduler }));
    for (const informer of informers) informer.resource$.subscribe();
    ends.push(() => Promise.all(informers.map((informer) => informer.stop())));
    pass(1_000);
    const { message, remedy } = await only();
    expect(message).toContain('3 informers (api, metrics, cleanup) watch the same: pods, all namespaces');
    expect(remedy).toContain('createInformerFactory');
  });

  it('learns that a view is computed for heartbeats', async () => {
    const source = new Subject<SourceEvent<Pod>>();
    const informer = podsFrom(source);
    const phases = derive(informer, ({ status }) => ({ phase: status?.phase ?? 'Running' }), { name: 'phases', scheduler });
    phases.change$.subscribe();
    ends.push(() => phases.stop());
    for (const event of list('9', [pod('a', '1')])) source.next(event);
    for (let at = 0; at < 1_000; at += 1) source.next(modified(pod('a', String(10 + at))));
    const { message, remedy } = await only();
    expect(message).toMatch(/The view phases has computed 1001 values, and 1000 of them \(100 %\) were equal to the previous one/);
    expect(message).toContain('Its inputs (pods) change in fields that it does not use');
    expect(remedy).toContain('a transform');
  });
});
