import { verification } from 'rx-informer/pipeline';
import type { FaultCase } from '../faultCase.js';
import type { Scene } from '../scene.js';

const parts = [verification({ everyMs: 20_000 })];

/** Restores the state from a number of writes ago. */
const goBack =
  (writes: number) =>
  async (scene: Scene): Promise<void> => {
    const { id = '' } = await scene.control.act('snapshot');
    for (let number = 0; number < writes; number += 1) await scene.patch('a', String(number));
    await scene.create('lost');
    scene.notes.set('snapshot', id);
  };

const restore = (scene: Scene): Promise<unknown> => scene.control.act('restore', { id: scene.notes.get('snapshot') ?? '' });

/** The informer recovers only when the server has passed the last version that the informer has seen. */
async function overtake(scene: Scene): Promise<void> {
  await scene.inject({ type: 'cut', at: 'headers', verb: ['list', 'watch'], forMs: 2_000 });
  await restore(scene);
  for (let number = 0; number < 10; number += 1) await scene.patch('a', `again-${String(number)}`);
}

/** Faults of the server's history, and lost events. */
export const lostStates: readonly FaultCase[] = [
  {
    id: 'expired',
    fault: 'no watch for 20 seconds, and the history is gone then (410)',
    ownServer: 'memory',
    lastsMs: 20_000,
    begin: async (scene) => {
      await scene.inject({ type: 'cut', at: 'headers', verb: 'watch', forMs: 20_000 });
      await scene.inject({ type: 'cut', at: 'body', verb: 'watch', atOnce: true, count: 1 });
    },
    end: (scene) => scene.control.act('expire'),
    promise: { noticedMs: 2_000, consistentMs: 45_000, perMinute: 60, lost: 'the states between' },
    spec: { file: 'spec/e2e/networkFaults.spec.ts', title: 'lists again when the history is gone' },
  },
  {
    id: 'restored',
    fault: 'a backup is restored, and its version is below the last one seen',
    ownServer: 'memory',
    noticedBy: 'list',
    afterStart: goBack(30),
    begin: restore,
    promise: { noticedMs: 5_000, consistentMs: 10_000, perMinute: 10, lost: 'the states between' },
    spec: { file: 'spec/source/reflector/reflect.spec.ts', title: 'finds a server that was restored from a backup' },
  },
  {
    id: 'overtaken',
    fault: 'a backup is restored, and written on past the last version seen; verified each 20 seconds',
    ownServer: 'memory',
    noticedBy: 'ERR_DRIFT',
    options: () => ({ parts }),
    afterStart: goBack(1),
    begin: overtake,
    promise: { noticedMs: 30_000, consistentMs: 35_000, perMinute: 15, lost: 'the states between' },
    spec: {
      file: 'spec/e2e/networkFaults.spec.ts',
      title: 'follows a server that was set back and has overtaken it since, by listing again from time to time',
    },
  },
  {
    id: 'lostEvent',
    fault: 'an event is lost on its way; verified each 20 seconds',
    noticedBy: 'ERR_DRIFT',
    options: () => ({ parts }),
    begin: (scene) => scene.inject({ type: 'event', action: 'drop', eventType: 'DELETED', count: 1 }),
    promise: { noticedMs: 30_000, consistentMs: 35_000, perMinute: 15, lost: 'that event' },
    spec: { file: 'packages/api-server/spec/informer/verify/verifyServer.spec.ts', title: 'finds a deletion that no watch has told' },
  },
];
