import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { open, send, type Answer, type RequestInit } from '../support/httpClient.js';
import { comparable, observe, observeWatch } from './observe.js';
import { goldenCases, type GoldenCase, type GoldenRequest, type GoldenRequests, type Recorded, type Replay } from './goldenCase.js';
import { patientClock } from '../support/patientClock.js';
import { golden } from './names.js';
import { creates } from './requests/creates.js';
import { customResources } from './requests/customResources.js';
import { deletes } from './requests/deletes.js';
import { others } from './requests/others.js';
import { patches } from './requests/patches.js';
import { reads } from './requests/reads.js';
import { updates } from './requests/updates.js';

/** The parts of the requests that the recordings omit, by the names of the cases. */
export const requests: GoldenRequests = { ...reads, ...creates, ...updates, ...patches, ...deletes, ...others, ...customResources };

/** One case, replayed. */
export interface Outcome {
  readonly id: string;
  readonly recorded: Recorded;
  readonly observed: Recorded;
}

function startRecordedServer(): Promise<TestApiServer> {
  const admin = { name: 'admin', uid: 'u-admin', groups: ['system:masters', 'system:authenticated'] };
  const auth = { tokens: { [golden.token]: admin }, anonymous: false };
  return startApiServer({ clock: patientClock(), gracefulDeletionMs: Infinity, auth });
}

class Replayed implements Replay {
  readonly kept = new Map<string, string>();
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  readonly send = (method: string, path: string, init: RequestInit = {}): Promise<Answer> =>
    send({ url: this.url }, path, { ...this.authorized(init), method });

  readonly in = (path: string): string => `/api/v1/namespaces/${golden.namespace}/${path}`;

  readonly fill = (path: string): string =>
    path
      .replaceAll('NS', golden.namespace)
      .replaceAll('GROUP', golden.group)
      .replaceAll('TOKEN', this.kept.get('token') ?? '');

  open(method: string, path: string, init: RequestInit): ReturnType<typeof open> {
    return open({ url: this.url }, path, { ...this.authorized(init), method });
  }

  private authorized(init: RequestInit): RequestInit {
    const headers = { authorization: `Bearer ${golden.token}`, ...init.headers };
    return { ...init, headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')) };
  }
}

async function initOf({ headers = {}, body }: GoldenRequest, replay: Replay): Promise<RequestInit> {
  const sent: unknown = typeof body === 'function' ? await (body as (replay: Replay) => unknown)(replay) : body;
  return { headers, ...(sent !== undefined && { body: sent }) };
}

/** What later requests refer to. */
function keep({ id }: GoldenCase, { json }: Answer, kept: Map<string, string>): void {
  if (id === 'list limit=2') kept.set('token', json.metadata.continue ?? '');
  if (id === 'list plain') kept.set('rv', json.metadata.resourceVersion);
  if (id === 'cm create 1') kept.set('c1', json.metadata.resourceVersion);
}

/** The answer; undefined when it does not end. */
function answered(answer: Promise<Answer>): Promise<Answer | undefined> {
  const limit = AbortSignal.timeout(20_000);
  return Promise.race([answer, new Promise<undefined>((resolve) => limit.addEventListener('abort', () => resolve(undefined)))]);
}

async function replayCase(one: GoldenCase, replay: Replayed): Promise<Recorded> {
  const request = requests[one.id] ?? {};
  await request.before?.(replay);
  const { path = replay.fill(one.path) } = request;
  const target = typeof path === 'function' ? path(replay) : path;
  const init = await initOf(request, replay);
  if (one.answer['events'] !== undefined || one.id === 'watch=abc') {
    const settled = async (): Promise<void> => {
      await replay.send('GET', '/readyz');
    };
    return observeWatch(await replay.open(one.method, target, init), one.answer, settled);
  }
  const answer = await answered(replay.send(one.method, target, init));
  if (answer === undefined) return { code: 0 };
  keep(one, answer, replay.kept);
  return observe(answer, request, replay);
}

interface Cause {
  readonly reason?: string;
  readonly field?: string;
}

/** An answer without its words: of an error, the code, the reason, and which fields are wrong remain. */
function wordless({ message: _, warning: __, details, ...answer }: Recorded): Recorded {
  const { causes, ...others } = (details ?? {}) as { readonly causes?: readonly Cause[] };
  const fields = causes?.map(({ reason = '', field = '' }) => `${reason} ${field}`).sort();
  return {
    ...answer,
    ...(details !== undefined && { details: { ...others, ...(fields && { causes: [...new Set(fields)] }) } }),
  };
}

/** Sends every recorded request to an embedded server, in the recorded order. */
export async function replayAll(): Promise<readonly Outcome[]> {
  const server = await startRecordedServer();
  const replay = new Replayed(server.url);
  const outcomes: Outcome[] = [];
  try {
    for (const one of goldenCases()) {
      const observed = wordless(comparable(await replayCase(one, replay), one.answer));
      const recorded = wordless(comparable(one.answer, one.answer));
      outcomes.push({ id: one.id, recorded, observed });
    }
  } finally {
    await server.close();
  }
  return outcomes;
}
