import { concat, defer, EMPTY, from, ignoreElements, type Observable, of, timer, catchError } from 'rxjs';
import { isAlreadyExists } from '../../api/errors/apiErrorPredicates.js';
import type { V1Deployment } from '../../api/kubernetes/appsV1.js';
import { resources } from '../../api/resources.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { monotonicScheduler } from '../../rx/monotonicScheduler.js';
import { errorLine } from '../output/errorLine.js';
import type { DemoServer } from './demoServer.js';
import type { DemoEvent } from './demoStep.js';

const { deployments } = resources.apps.v1;
const namespace = 'default';
const rollout = 'rollout';
/** How long a killed server stays away. */
const awayMs = 1_500;

/** What the keys act on. */
export interface DemoTarget {
  readonly server: DemoServer;
  readonly client: KubeClient;
  /** The user agent of the informer that is watched. */
  readonly userAgent: string;
}

/** Asks for so many pods of a new version. */
async function rollOut(client: KubeClient, replicas: number, release: string): Promise<void> {
  const labels = { app: rollout };
  const template = {
    metadata: { labels, annotations: { 'example.com/release': release } },
    spec: { containers: [{ name: rollout, image: `registry.example/${rollout}:1` }] },
  };
  const deployment: V1Deployment = {
    metadata: { name: rollout, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
  try {
    await client.create(deployments, deployment);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(deployments, rollout, 'merge', { spec: { replicas, template } }, { namespace });
  }
}

/** Says what is done, and does it. */
const doing = (event: DemoEvent, work: () => unknown): Observable<DemoEvent> =>
  concat(of(event), defer(async () => await work()).pipe(ignoreElements()));

function killed({ server }: DemoTarget): Observable<DemoEvent> {
  const fault: DemoEvent = { type: 'fault', text: 'k: server killed, started again in 1.5 s' };
  return concat(
    doing(fault, () => server.kill()),
    of<DemoEvent>({ type: 'server', server: 'down' }),
    timer(awayMs, monotonicScheduler).pipe(ignoreElements()),
    defer(() => from(server.start())).pipe(ignoreElements()),
    from<DemoEvent[]>([
      { type: 'server', server: 'running' },
      { type: 'action', text: 'the server is back' },
    ]),
  );
}

function actionOf(key: string, target: DemoTarget): Observable<DemoEvent> | undefined {
  const { server, client, userAgent } = target;
  const fault = (text: string): DemoEvent => ({ type: 'fault', text: `${key}: ${text}` });
  const ours = { verb: 'watch', userAgent, count: 1 };
  if (/^[1-9]$/.test(key)) {
    const replicas = Number(key) * 10;
    const text = `${key}: ${String(replicas)} pods rolled out`;
    return doing({ type: 'action', text }, () => rollOut(client, replicas, String(monotonicScheduler.now())));
  }
  if (key === 'k') return killed(target);
  if (key === 'e')
    return doing(fault('history expired, the watch fails'), async () => {
      await server.control('expire');
      await server.control('faults', { type: 'endWatch', errorCode: 410, atOnce: true, ...ours });
    });
  if (key === 'f')
    return doing(fault('connection frozen: open, but silent'), () => server.control('faults', { type: 'freeze', at: 'body', ...ours }));
  if (key === 'c') return doing(fault('all connections cut'), () => server.control('cut-connections'));
  return undefined;
}

/** What a key of the demonstration does; nothing for other keys. What cannot be done now is told, and is no failure. */
export function demoAction(key: string, target: DemoTarget): Observable<DemoEvent> {
  const action = actionOf(key, target) ?? EMPTY;
  return action.pipe(catchError((error: unknown) => of<DemoEvent>({ type: 'action', text: `${key}: not now: ${errorLine(error)}` })));
}
