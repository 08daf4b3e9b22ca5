import {
  catchError,
  concat,
  defer,
  EMPTY,
  exhaustMap,
  from,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { isAlreadyExists } from '../../api/errors/apiError.js';
import type { V1Deployment } from '../../api/kubernetes/appsV1.js';
import type { V1Pod } from '../../api/kubernetes/coreV1.js';
import { resources } from '../../api/resources.js';
import { createClient } from '../../client/createClient.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { createInformer } from '../../informer/createInformer.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import { monotonicScheduler } from '../../rx/schedulerOf.js';
import { errorLine } from '../output/errorLine.js';
import type { DemoServer } from './demoServer.js';
import type { DemoEvent, DemoState } from './demoStep.js';

const { deployments } = resources.apps.v1;
const namespace = 'default';
const rollout = 'rollout';
/** How long a killed server is down. */
const awayMs = 1_500;

/** The objects that the keys act on. */
interface DemoTarget {
  readonly server: DemoServer;
  readonly client: KubeClient;
  /** The user agent of the demonstrated informer. */
  readonly userAgent: string;
}

/** Requests a number of pods with a new version. */
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

/** Announces an action, and carries it out. */
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
    return doing({ type: 'action', text }, () => rollOut(client, replicas, String(Math.round(monotonicScheduler.now()))));
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

/** The action of a key; nothing for other keys. An action that is impossible now is reported in the story. */
function demoAction(key: string, target: DemoTarget): Observable<DemoEvent> {
  const action = actionOf(key, target) ?? EMPTY;
  return action.pipe(catchError((error: unknown) => of<DemoEvent>({ type: 'action', text: `${key}: not now: ${errorLine(error)}` })));
}

const userAgent = 'rx-informer-demo';
const idleTimeoutMs = 4_000;
const checkMs = 1_000;
const checkTimeoutMs = 3_000;
/** Long enough for the informer to reconnect. */
const lastCheckTimeoutMs = 15_000;

interface DemoRun {
  readonly server: DemoServer;
  readonly keys$: Observable<string>;
  /** Ends the demonstration at once. */
  readonly end$: Observable<unknown>;
  /** Ends the demonstration after a last comparison. */
  readonly finish$: Observable<unknown>;
  readonly state: () => DemoState;
  /** Called with every event. */
  readonly happen: (event: DemoEvent) => void;
}

/** The number of pods for which the table, which is computed from events, differs from the cache. */
function differences(rows: DemoState['rows'], { indexer }: SharedInformer<V1Pod>): number {
  const shown = [...rows].filter(([, { type }]) => type !== 'deleted');
  const wrong = shown.filter(([key, { pod }]) => indexer.getByKey(key)?.metadata?.resourceVersion !== pod.metadata?.resourceVersion);
  return wrong.length + indexer.listKeys().filter((key) => !rows.has(key) || rows.get(key)?.type === 'deleted').length;
}

/** Compares with the server, at exactly the version of the cache; emits nothing if the server does not answer. */
function check(informer: SharedInformer<V1Pod>, { state }: DemoRun, timeoutMs: number): Observable<DemoEvent> {
  return from(informer.verify({ timeoutMs })).pipe(
    map(({ count, missing, extra, differing }): DemoEvent => {
      const lost = missing.length + extra.length + differing.length + differences(state().rows, informer);
      return { type: 'check', check: { at: monotonicScheduler.now(), count, lost } };
    }),
    catchError(() => EMPTY),
  );
}

/** Watches the pods of the server, carries out the actions of keys, and compares with the server every second. */
export async function runDemo(run: DemoRun): Promise<void> {
  const { server, keys$, end$, finish$, state, happen } = run;
  await server.start();
  happen({ type: 'server', server: 'running' });
  const client = createClient({ server: server.url, userAgent });
  const informer = createInformer(client, resources.core.v1.pods, {
    // Shorter than the default, so that the effect is visible soon.
    idleTimeoutMs,
    backoff: { initialMs: 300, maxMs: 1_000, jitter: 0.2 },
    onError: () => 'retry',
    trace: (step) => {
      if (step.stage === 'request') happen({ type: 'request' });
      else if (step.stage === 'end' && step.outcome === 'aborted' && step.lastedMs >= idleTimeoutMs)
        happen({ type: 'action', text: `silent for ${String(idleTimeoutMs / 1_000)} s: the connection is replaced` });
    },
  });
  const pressed = keys$.pipe(
    mergeMap((key) =>
      state().server === 'running'
        ? demoAction(key, { server, client, userAgent })
        : of<DemoEvent>({ type: 'action', text: `${key}: not while the server is away` }),
    ),
  );
  const changes = informer.change$.pipe(map((change): DemoEvent => ({ type: 'change', change })));
  const healths = informer.health$.pipe(map((health): DemoEvent => ({ type: 'health', health })));
  const checks = interval(checkMs, monotonicScheduler).pipe(exhaustMap(() => check(informer, run, checkTimeoutMs)));
  const ticks = interval(100, monotonicScheduler).pipe(map((): DemoEvent => ({ type: 'tick', health: informer.health() })));
  const compared = finish$.pipe(
    take(1),
    switchMap(() => concat(check(informer, run, lastCheckTimeoutMs).pipe(tap(happen), ignoreElements()), of(undefined))),
  );
  try {
    await merge(changes, healths, pressed, checks, ticks)
      .pipe(takeUntil(merge(end$, compared)))
      .forEach(happen);
  } finally {
    await informer.stop();
    client.close();
  }
}
