import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { InformerError } from '../../src/api/errors/informerError.js';
import type { ResourceEvent } from '../../src/api/events.js';
import { resourcePath } from '../../src/api/resource.js';
import { resources } from '../../src/api/resources.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { waitUntil } from '../../src/informer/waiting/waitUntil.js';
import { list, type Pod, pod } from '../delta/pods.js';
import { scripted } from './scripted.js';

/** Mistakes of users, and the messages for them. */
describe('a mistake', () => {
  const read = (...path: readonly string[]): never =>
    path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], resources) as never;
  const client = { listChunks: () => undefined, watch: () => undefined } as never;

  it('in the name of a resource is told with the nearest name', () => {
    expect(() => createInformer(client, read('core', 'v1', 'pod'))).toThrow('there is no `resources.core.v1.pod`; did you mean `pods`?');
    expect(() => createInformer(client, read('apps', 'v2'))).toThrow('there is no `resources.apps.v2`; did you mean `v1`?');
    expect(() => resourcePath(read('core', 'v1', 'configmap'))).toThrow('`resources.core.v1.configmap`; did you mean `configmaps`');
  });

  it('does not change what the catalog is', () => {
    expect(Object.keys(resources.core)).toEqual(['v1']);
    expect(JSON.parse(JSON.stringify(resources))).toEqual(resources);
    expect(resources.core.v1.pods.plural).toBe('pods');
  });

  it('that mutates a cached object is told with the way to change one', () => {
    const { informer, send } = scripted({ freeze: true });
    const errors: InformerError[] = [];
    informer.error$.subscribe((error) => errors.push(error));
    informer.addEventHandler({
      onAdd: (object) => {
        (object.metadata as { name: string }).name = 'mine';
      },
    });
    informer.start();
    send(...list('3', [pod('a', '1')]));
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('make a changed copy with `edit`') as unknown]);
    void informer.stop();
  });

  it('in the key for a lister names what it got', () => {
    const { informer } = scripted({});
    expect(() => informer.lister.get({} as never)).toThrow(
      new TypeError('Expected the key for pods to be "name" or "namespace/name", got an object'),
    );
    expect(() => informer.lister.getOrThrow(undefined as never)).toThrow('got undefined');
    void informer.stop();
  });

  it('in a condition is told with that condition', async () => {
    const scheduler = new VirtualTimeScheduler();
    const { informer, send } = scripted({ scheduler });
    const isBorn = (event: ResourceEvent<Pod>): boolean => event.type === 'added';
    const isDeleted = (event: ResourceEvent<Pod>): boolean => event.type === 'deleted';
    const waiting = waitUntil(informer, [isBorn, isDeleted], { timeoutMs: 1000, scheduler });
    const ending = waitUntil(informer, [(event) => event.type === 'deleted']);
    send(...list('3', [pod('a', '1')]));
    scheduler.flush();
    await expect(waiting).rejects.toThrow('pods did not meet condition 2 of 2 (`isDeleted`) within 1000 ms');
    void informer.stop();
    await expect(ending).rejects.toThrow('The events ended before condition 1 of 1 was met');
  });

  it('of a server is in the JSON of health', () => {
    const cause = new Error('no route to host');
    const error = new InformerError({ code: 'ERR_LIST', message: 'Listing pods failed', cause, resource: 'pods', attempt: 2 });
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: {
        name: 'InformerError',
        code: 'ERR_LIST',
        message: 'Listing pods failed',
        resource: 'pods',
        attempt: 2,
        cause: 'no route to host',
      },
    });
  });
});
