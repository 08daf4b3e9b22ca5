import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { parseAllDocuments } from 'yaml';
import { builtInResources } from '../../../src/api/builtInResources.js';
import type { RunningApiServer } from '@rx-informer/api-server';
import { partsAway, type Value } from './partsOf.js';

/** One cause of a refusal: its type, field and message. */
export type Cause = readonly [type: string, field: string, message: string];

/** The answer of a server about an object without one of its parts. */
export interface AbsentAnswer {
  /** The version, kind and name of the whole object, for example `apps/v1 Deployment whole`. */
  readonly of: string;
  readonly path: string;
  readonly how: 'absent' | 'empty' | 'whole';
  readonly code: number;
  readonly reason?: string;
  /** The message, if there are no causes. */
  readonly message?: string;
  readonly causes?: readonly Cause[];
}

/** A valid object. */
export interface WholeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The answer of a server. */
export interface Answered {
  readonly code: number;
  readonly json: {
    readonly reason?: string;
    readonly message?: string;
    readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly field?: string; readonly message?: string }[] };
  };
}

/** The path for a dry-run POST of an object. */
export function pathOf({ apiVersion, kind }: WholeObject): string {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const found = builtInResources.find((one) => one.group === group && one.version === version && one.kind === kind);
  if (found === undefined) throw new TypeError(`Expected a built-in kind, got ${apiVersion} ${kind}`);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${found.namespaced ? '/namespaces/default' : ''}/${found.plural}?dryRun=All`;
}

/** Sends objects to one server, over connections that stay open. */
export class Asker {
  private readonly server: RunningApiServer;
  private readonly agent: HttpAgent;

  constructor(server: RunningApiServer) {
    const { ca, clientCert, clientKey } = server.credentials;
    this.server = server;
    this.agent = server.url.startsWith('https')
      ? new HttpsAgent({ keepAlive: true, maxSockets: 4, ca, cert: clientCert, key: clientKey })
      : new HttpAgent({ keepAlive: true, maxSockets: 4 });
  }

  post(path: string, body: string): Promise<Answered> {
    const { url } = this.server;
    const send = url.startsWith('https') ? httpsRequest : httpRequest;
    return new Promise((resolve) => {
      const request = send(`${url}${path}`, { method: 'POST', agent: this.agent, headers: { 'content-type': 'application/json' } });
      // A handler that panics closes the connection.
      request.on('error', (error) => {
        resolve({ code: 0, json: { message: error.message } });
      });
      request.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          resolve({ code: answer.statusCode ?? 0, json: JSON.parse(text) as Answered['json'] });
        });
      });
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function answerOf(of: string, path: string, how: AbsentAnswer['how'], { code, json }: Answered): AbsentAnswer {
  if (code < 300) return { of, path, how, code };
  const { reason = '', message = '', details } = json;
  const causes = (details?.causes ?? []).map((cause): Cause => [cause.reason ?? '', cause.field ?? '', cause.message ?? '']);
  return { of, path, how, code, reason, ...(causes.length > 0 ? { causes } : { message }) };
}

/** The valid objects whose parts are removed one by one. */
export function wholeObjects(): readonly Value[] {
  const text = readFileSync(new URL('../schemas/wholeObjects.yaml', import.meta.url), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Value);
}

/** Whether two servers give the same answer, whatever the words are; the order of causes does not matter. */
export function isAlike(one: AbsentAnswer, other: AbsentAnswer): boolean {
  const [text, otherText] = [one, other].map(({ code, reason = '', causes = [] }) =>
    JSON.stringify([code, reason, [...new Set(causes.map(([why, field]) => `${why} ${field}`))].sort()]),
  );
  return text === otherText;
}

/** The answers of a server for every object, whole and without each of its parts. Nothing is stored. */
export async function absentAnswers(server: RunningApiServer, objects: readonly Value[]): Promise<readonly AbsentAnswer[]> {
  const wholes = objects.map((object) => ({
    object,
    whole: object as unknown as WholeObject,
    path: pathOf(object as unknown as WholeObject),
  }));
  const asker = new Asker(server);
  const asked: Promise<AbsentAnswer>[] = [];
  for (const { object, whole, path } of wholes) {
    const of = `${whole.apiVersion} ${whole.kind} ${whole.metadata.name}`;
    for (const part of [{ path: '', how: 'whole', object } as const, ...partsAway(object)]) {
      asked.push(asker.post(path, JSON.stringify(part.object)).then((answer) => answerOf(of, part.path, part.how, answer)));
    }
  }
  const answers = await Promise.all(asked);
  asker.close();
  return answers;
}
