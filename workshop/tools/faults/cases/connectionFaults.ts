import type { FaultCase } from '../faultCase.js';

const file = 'spec/e2e/networkFaults.spec.ts';
const onceMore = { noticedMs: 2_000, consistentMs: 3_000, perMinute: 5, lost: 'nothing' } as const;

/** Faults of connections and of the server process. */
export const connectionFaults: readonly FaultCase[] = [
  {
    id: 'cutWatch',
    fault: 'a watch is cut in the middle of an event',
    begin: (scene) => scene.inject({ type: 'cut', at: 'line', verb: 'watch', count: 1 }),
    promise: onceMore,
    spec: { file, title: 'misses nothing over a watch with %j' },
  },
  {
    id: 'endedWatch',
    fault: 'a watch ends in good order',
    begin: (scene) => scene.endWatch(),
    promise: onceMore,
    spec: { file, title: 'misses nothing over a watch with %j' },
  },
  {
    id: 'cutAgainAndAgain',
    fault: 'every connection is cut, each two seconds for a minute',
    ownServer: 'memory',
    lastsMs: 60_000,
    begin: (scene) => {
      const cut = (): void => void scene.control.act('cut-connections').catch(() => undefined);
      cut();
      const timer = setInterval(cut, 2_000);
      setTimeout(() => clearInterval(timer), 60_000);
    },
    promise: { noticedMs: 2_000, consistentMs: 60_000, perMinute: 70, lost: 'nothing' },
    spec: { file, title: 'misses nothing when every connection is cut, again and again' },
  },
  {
    id: 'silentWatch',
    fault: 'a watch falls silent',
    begin: (scene) => scene.inject({ type: 'freeze', at: 'body', verb: 'watch', count: 1 }),
    promise: { noticedMs: 90_000, consistentMs: 90_000, perMinute: 5, lost: 'nothing' },
    spec: { file, title: 'replaces a watch that has gone silent without a word, and without listing again' },
  },
  {
    id: 'stoppedServer',
    fault: 'the server stops answering for two minutes, its connections stay open',
    ownServer: 'memory',
    away: true,
    lastsMs: 120_000,
    begin: (scene) => scene.signal('SIGSTOP'),
    end: (scene) => scene.signal('SIGCONT'),
    promise: { noticedMs: 90_000, consistentMs: 60_000, perMinute: 10, lost: 'nothing' },
    spec: { file, title: 'replaces a connection whose server has stopped, and goes on when it is back' },
  },
  {
    id: 'killedServer',
    fault: 'the server is killed, and comes back with its data after 30 seconds',
    ownServer: 'data',
    away: true,
    lastsMs: 30_000,
    begin: (scene) => scene.kill(),
    end: (scene) => scene.startAgain(),
    promise: { noticedMs: 2_000, consistentMs: 60_000, perMinute: 60, lost: 'nothing' },
    spec: {
      file: 'spec/e2e/serverRestart.spec.ts',
      title: 'goes on by itself when the server is back after ten seconds with the same data',
    },
  },
];
