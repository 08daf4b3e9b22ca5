import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { open, send, type Answer, type RequestInit } from '../support/httpClient.js';
import { serveWebhooks, type WebhookServer } from '../support/webhookServer.js';
import { patientClock } from '../support/patientClock.js';
import { at, madeBody, recordedPart, shapeOf, type MadeBody, type RecordedCase, type RecordedRequest } from './recordedCase.js';

/** A request for a certificate that the cases send. */
const csr =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1Z6Q0NBVDhDQVFBd0VqRVFNQTRHQTFVRUF3d0hjMjl0Wlc5dVpUQ0NBU0l3RFFZSktvWklodmNOQVFFQgpCUUFEZ2dFUEFEQ0NBUW9DZ2dFQkFNV05sWm8yM1ZGUURHbSt4bFRSNW8rdUZrQitpS3RCVjNyUXppbkV6dng2CloxSmhpM1BsVTAxS3VVTytPOWdiV0xoVzZTbzZIb2VtbGh0Ykg0bWo1cmY0WGp5dUx3aFRXb1d5UmV2bXFrVnAKaExWVlFmMmNoZC9UdFg4clUvL0QzenlUNExxZ3o5Rm9obWxxVmEyRkRuRnFKN1UzSDdUUk9kYTJHZHI3bGw5SQo1dkJ5QmlNTEJVZUpvQTBBNTNZNWhwcitZTTcrbDg0Y3dzQWxpUnBEYjY1VVJ5MGthUVRrbGRHWnUvQXZaMjFCCmx6QVdkbDcyVXdCSGdaVnhhY0QrMFdKRS9XYkZyNFZ3KzdDN05QalJSZUZjTWN6cExOV0gweGNNd2hnVE55ZGsKVC91MUdpWWQ4cTgyYkVaS2Q1VURaVmg4blhNNUQ5aHZaeG9Qd2c0Ujh3TUNBd0VBQWFBQU1BMEdDU3FHU0liMwpEUUVCQ3dVQUE0SUJBUUNVQ2RsMll5MlBuOC81cmY5c1RpQjlNQ3FFYlN2N2RGRU1lOWcwWmlZUTVOV25Ram5uClB5Y3BLcndka0FrcmZ3M3R1VjVjTXdJcGNta1ZVSTcxWkJqTEpSWFhDam8zV3lySGxjQVJoNytVK2ExWWpicTYKU25neWo0QVJGSTNnNXFKeVZzWVZ2ZG5UQ3BnRVpoZTR1UUc1SVE2L0xXWDJkbDNqS2V0VmVsS056V0lWemQ2bQpEMGdmR090WTgxQlB0ekNKSHNvSEE4TlF6Y1pPV1kvZDlmYTVVQWFXSk5MTXN6UjNjSHg0dGVpZHFDMkc1YXdVCndoRjduWWlSZC9IN290S1E0ZmJpdDV2MnR4ZGpuczVEWThoZUhCL3U5Mm1xcmFTRTVROEtOYU9MUi9JdERmdjcKMlZUMG0xZXprZDFwQXZROHVFci9pamdDclJ4Z0dQaGVuaHlyCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const namespace = 'cmp-replay36';
const group = 'greplay36.cmp.example.com';

/** How similar an answer is to the recorded one: not at all; in code; also in reason; or also in the shape of the body. */
export type Likeness = 'nothing' | 'code' | 'reason' | 'all';

interface ReviewRequest {
  readonly uid: string;
  readonly name?: string;
  readonly operation?: string;
  readonly dryRun?: boolean;
  readonly userInfo?: { readonly username?: string };
}

function patching(patch: readonly object[]): object {
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

/** The answers of the recorded webhooks, by path. */
function replyTo(path: string, { name, operation, dryRun, userInfo }: ReviewRequest): ReturnType<WebhookServer['reply']> {
  const who = `${String(name)} ${String(operation)} ${String(userInfo?.username)}`;
  const replies: Readonly<Record<string, ReturnType<WebhookServer['reply']>>> = {
    deny: { allowed: false, status: { code: 418, reason: 'Teapot', message: `no ${who}` } },
    cond: { allowed: false, status: { message: 'condition' } },
    warn: { allowed: true, warnings: ['first warning', 'second "warning"'] },
    bad: { code: 200, text: 'not json' },
    err: { code: 500, text: 'boom' },
    slow: 'nothing',
    patch: patching([{ op: 'add', path: '/data/patched', value: `${String(operation)} ${String(dryRun)}` }]),
    badpatch: patching([{ op: 'replace', path: '/nope/x', value: 1 }]),
    invalid: patching([{ op: 'add', path: '/data/not a key', value: '1' }]),
  };
  return replies[path] ?? { allowed: true };
}

const runs: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/ey[\w-]{10,}\.ey[\w-]+\.[\w-]+/g, 'JWT'],
  [/eyJ2Ijoi[\w=-]+/g, 'TOKEN'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT[\d:]{8}\.\d+Z/g, 'MICROTIME'],
  [/\d{4}-\d\d-\d\dT[\d:]{8}Z/g, 'TIME'],
  [/\b10\.0\.0\.\d+\b/g, 'CIP'],
  [/127\.0\.0\.1:\d+/g, 'HOST'],
  [/\bhttps?:\/\/HOST/g, 'URL'],
  [/(resourceVersion\\*":\\*")\d+/g, '$1RV'],
  [/resource version: \d+/g, 'resource version: RV'],
  [/current: \d+/g, 'current: RV'],
  [/\(\d{2,}\)/g, '(RV)'],
  [/\b\d+(\.\d+)?(ms|µs)\b/g, 'MS'],
];

interface WatchEvent {
  readonly type: string;
  readonly object?: Readonly<Record<string, unknown>>;
}

function shortOf({ type, object = {} }: WatchEvent, text: (value: string) => string): string {
  if (object['kind'] === 'Status') return text(`${type}:${String(object['code'])}/${String(object['reason'])}`);
  const end = at(object, 'metadata.annotations') as Readonly<Record<string, string>> | undefined;
  const name = at(object, 'metadata.name') as string | undefined;
  return text(`${type}:${String(object['kind'])}/${name ?? ''}${end?.['k8s.io/initial-events-end'] === undefined ? '' : '/END'}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The first lines of a stream, and whether the server ended it. A stream with fewer lines is read for some seconds. */
function linesOf(
  stream: IncomingMessage,
  count: number,
  ended: boolean,
): Promise<{ readonly lines: readonly string[]; readonly over: boolean }> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (over: boolean): void => {
      clearTimeout(limit);
      resolve({ lines: text.split('\n').filter((line) => line !== ''), over });
    };
    const limit = setTimeout(finish, 20_000, false);
    const check = (): void => {
      if (!ended && text.split('\n').length > count) setImmediate(finish, false);
    };
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      check();
    });
    stream.on('end', () => finish(true));
    stream.on('error', () => finish(false));
    check();
  });
}

/** Sends the recorded requests to one server, in order. */
class RecordedReplay {
  private readonly kept = new Map<string, unknown>();
  private readonly server: TestApiServer;
  private readonly hooks: WebhookServer;

  constructor(server: TestApiServer, hooks: WebhookServer) {
    this.server = server;
    this.hooks = hooks;
    const values = { NS: namespace, GROUP: group, HOOKPORT: String(hooks.port), HOOKCA: hooks.caBundle, csr };
    for (const [name, value] of Object.entries(values)) this.kept.set(name, value);
  }

  /** How similar the answer to a case is to the recorded one. */
  async likeness(one: RecordedCase): Promise<Likeness> {
    for (const before of one.pre ?? []) await this.send(before);
    if (one.preEtag !== undefined) {
      const { headers } = await this.send({ method: 'GET', path: one.preEtag[0], headers: { accept: one.preEtag[1] } });
      this.kept.set('aggetag', headers['etag'] ?? 'none');
    }
    return one.watch === undefined ? this.compare(one, await this.settled(one)) : this.watch(one);
  }

  private readonly text = (value: string): string => {
    const named = value
      .replaceAll(namespace, 'NS')
      .replaceAll(group, 'GROUP')
      .replaceAll(this.hooks.caBundle, 'CA')
      .replaceAll(String(this.hooks.port), 'HOOKPORT');
    return runs.reduce((changed, [pattern, word]) => changed.replace(pattern, word), named);
  };

  private fill(text: string): string {
    return text.replace(/\{\{([^}]+)\}\}/g, (_, expression: string) => {
      const [, path = '', more = '0'] = /^(.*?)(?:\+(\d+))?$/.exec(expression) ?? [];
      const value = at(Object.fromEntries(this.kept), path);
      return more === '0' ? String(value) : String(Number(value) + Number(more));
    });
  }

  private initOf({ method, headers = {}, body, raw, as }: RecordedRequest): RequestInit {
    const made = body !== undefined && body !== null && typeof body === 'object' && '$base' in body ? (body as MadeBody) : undefined;
    const merge = made?.$merge === undefined ? {} : { $merge: JSON.parse(this.fill(JSON.stringify(made.$merge))) as unknown };
    const sent =
      raw !== undefined
        ? this.fill(raw)
        : made !== undefined
          ? JSON.stringify(madeBody({ ...made, ...merge }, this.kept.get(made.$base)))
          : body === undefined
            ? undefined
            : this.fill(JSON.stringify(body));
    const all: Record<string, string> = { 'user-agent': 'cmp/1.0', authorization: `Bearer ${this.fill(as ?? 'admin-token')}` };
    if (as === '') Reflect.deleteProperty(all, 'authorization');
    if (sent !== undefined && method !== 'GET') all['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(headers))
      if (value === '') Reflect.deleteProperty(all, name);
      else all[name] = this.fill(value);
    return { method, headers: all, ...(sent !== undefined && { body: sent }) };
  }

  private async send(request: RecordedRequest): Promise<Answer> {
    const sent = await send({ url: this.server.url }, this.fill(request.path), this.initOf(request));
    const text = sent.headers['content-encoding'] === 'gzip' ? gunzipSync(sent.bytes).toString() : sent.text;
    const answer = { ...sent, text, json: (parsed(text) ?? {}) as Answer['json'] };
    if (request.save !== undefined) this.kept.set(request.save, answer.json);
    return answer;
  }

  /** The controllers of the server take several turns. */
  private async settled(one: RecordedCase): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.send(one);
      const { code, json } = answer;
      const listed = one.untilPath === undefined ? undefined : at(json, one.untilPath[0]);
      const found = Array.isArray(listed) && listed.some((item: { readonly type?: string }) => item.type === one.untilPath?.[1]);
      const done =
        one.until !== undefined ? code === one.until : one.untilPath !== undefined ? found : one.retry404 !== true || code !== 404;
      if (done || attempt === 100) return answer;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  private compare(one: RecordedCase, { code, json, text }: Answer): Likeness {
    const { answer } = one;
    if (code !== answer.code) return 'nothing';
    const whole = parsed(text) === undefined ? undefined : json;
    const failed = whole?.kind === 'Status' && (whole.status as unknown) === 'Failure' ? whole : undefined;
    if (one.codeOnly !== true && failed?.reason !== answer.reason) return 'code';
    if (one.codeOnly === true || one.headersOnly === true) return 'all';
    return this.sameShape(whole === undefined ? text : recordedPart(one, whole, this.text), answer.shape);
  }

  private sameShape(value: unknown, recorded: readonly string[]): Likeness {
    const found = [...shapeOf(value)].map(this.text).sort();
    return JSON.stringify(found) === JSON.stringify([...recorded].sort()) ? 'all' : 'reason';
  }

  private async watch(one: RecordedCase): Promise<Likeness> {
    const { short = [], ended = false, code, shape } = one.answer;
    const opened = await open({ url: this.server.url }, this.fill(one.path), this.initOf(one));
    if (code !== 200 || opened.statusCode !== 200) {
      const parts: Buffer[] = [];
      for await (const part of opened) parts.push(part as Buffer);
      const bytes = Buffer.concat(parts);
      const [text, json] = [bytes.toString(), parsed(bytes.toString())];
      return this.compare(one, { code: opened.statusCode ?? 0, headers: opened.headers, bytes, text, json: json as Answer['json'] });
    }
    for (const request of one.during ?? []) await this.send(request);
    const { lines, over } = await linesOf(opened, short.length, ended);
    // Whatever the server has sent by then has arrived.
    await this.send({ method: 'GET', path: '/readyz' });
    opened.destroy();
    const events = lines.map((line) => JSON.parse(line) as WatchEvent);
    const seen = events.map((event) => shortOf(event, this.text));
    // The words of an ERROR were recorded, too.
    const recorded = short.map((text) => (text.startsWith('ERROR:') ? text.split('/', 2).join('/') : text));
    if (JSON.stringify(seen) !== JSON.stringify(recorded) || over !== ended) return 'reason';
    return this.sameShape({ short: seen, ended: over, events }, shape);
  }
}

/** Sends every recorded request to an embedded server, and compares each answer with the recorded one. */
export async function replayRecorded(cases: readonly RecordedCase[]): Promise<ReadonlyMap<string, Likeness>> {
  const tokens = {
    'admin-token': { name: 'admin', uid: 'u-admin', groups: ['system:masters'] },
    'bob-token': { name: 'bob', uid: 'u-bob', groups: [] },
    'alice-token': { name: 'alice', uid: 'u-alice', groups: ['devs', 'ops'] },
  };
  const [server, hooks] = await Promise.all([
    startApiServer({ clock: patientClock(), auth: { tokens, authorize: 'rbac' } }),
    serveWebhooks(),
  ]);
  hooks.reply = ({ path, request }) => replyTo(path.slice(1).split('?')[0] ?? '', request);
  const replay = new RecordedReplay(server, hooks);
  const found = new Map<string, Likeness>();
  try {
    for (const one of cases) found.set(one.id, await replay.likeness(one));
  } finally {
    await Promise.all([server.close(), hooks.close()]);
  }
  return found;
}
