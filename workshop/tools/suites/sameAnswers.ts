import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { RunningApiServer } from '@rx-informer/api-server';
import { differencesOf } from '../../../packages/cli/src/output/differencesOf.js';

interface Answer {
  readonly code: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface SuiteRequest {
  readonly method: 'POST' | 'PATCH' | 'GET' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** Sends a request; the body of a PATCH is applied. */
export function send({ url, credentials }: RunningApiServer, { method, path, body }: SuiteRequest): Promise<Answer> {
  const { ca, clientCert: cert, clientKey: key } = credentials;
  const headers = body && { 'content-type': method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = (url.startsWith('https') ? secureRequest : request)(`${url}${path}`, { method, headers, ca, cert, key }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () =>
        resolve({ code: response.statusCode ?? 0, json: text.startsWith('{') ? (JSON.parse(text) as Answer['json']) : { message: text } }),
      );
    });
    sent.once('error', reject).end(body && JSON.stringify(body));
  });
}

/** Values that differ between servers and runs. */
const ofRun = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'time', 'lastTransitionTime']);

interface StatusDetails {
  readonly causes?: readonly { readonly field?: string; readonly reason?: string }[];
}

/** The part of an answer in which two servers must agree: no random values, and of a refusal no texts. */
function comparable({ code, json }: Answer): object {
  if (code < 400)
    return { code, ...(JSON.parse(JSON.stringify(json, (name, value: unknown) => (ofRun.has(name) ? 'ANY' : value))) as object) };
  const { causes = [], ...details } = (json['details'] ?? {}) as StatusDetails;
  // Errors of a schema come in the order of a Go map.
  return { code, reason: json['reason'], details, causes: causes.map(({ field, reason }) => `${String(field)} ${String(reason)}`).sort() };
}

/** An object that is sent to servers, the version that each of them stores, and the first thing that was found wrong. */
export interface Trial {
  readonly title: string;
  readonly collection: string;
  readonly thing: { readonly metadata: { readonly name: string } };
  readonly versions: unknown[];
  problem?: string | undefined;
}

const steps = {
  created: ({ collection, thing }: Trial): SuiteRequest => ({ method: 'POST', path: `${collection}?fieldManager=suites`, body: thing }),
  applied: ({ collection, thing }: Trial): SuiteRequest => ({
    method: 'PATCH',
    path: `${collection}/${thing.metadata.name}?fieldManager=suites&force=true`,
    body: thing,
  }),
  deleted: ({ collection, thing }: Trial): SuiteRequest => ({ method: 'DELETE', path: `${collection}/${thing.metadata.name}` }),
};

/**
 * Sends an object to all servers. The second server is the model; with a single one, a refusal is a problem, and a new version of what
 * was applied `again`.
 */
export async function tryStep(servers: readonly RunningApiServer[], step: keyof typeof steps, trial: Trial, again = false): Promise<void> {
  const answers = await Promise.all(servers.map((server) => send(server, steps[step](trial))));
  const results = answers.map((answer, at) => {
    const { resourceVersion } = (answer.json['metadata'] ?? {}) as { readonly resourceVersion?: string };
    const isSame = trial.versions[at] === resourceVersion;
    trial.versions[at] = resourceVersion;
    return { ...comparable(answer), isSame };
  });
  const found = (): string | undefined => {
    const [embedded, real] = results;
    const [answer] = answers;
    if (real !== undefined) {
      const [difference] = differencesOf(real, embedded);
      if (difference === undefined) return undefined;
      const { path, before, after } = difference;
      return `${path} is ${JSON.stringify(after)} in place of ${JSON.stringify(before)}`;
    }
    if (answer !== undefined && answer.code >= 400) return String(answer.json['message']);
    return again && embedded?.isSame === false ? 'another version' : undefined;
  };
  const problem = trial.problem === undefined ? found() : undefined;
  if (problem !== undefined) trial.problem = `${step}${again ? ' again' : ''}: ${problem}`.replaceAll(/\s+/g, ' ').slice(0, 400);
}
