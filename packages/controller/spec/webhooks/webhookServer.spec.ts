import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer } from 'node:net';
import { NEVER, Subject, VirtualTimeScheduler, concat, firstValueFrom, of } from 'rxjs';
import { customResource, type KubernetesObject, resources, type V1ConfigMap } from 'rx-informer';
import { advanceBy } from 'rx-informer/testing';
import type { CertificateSource, KeyedCertificate } from '../../src/webhooks/certificates/certificateSource.js';
import { issueCertificate, makeAuthority } from '../../src/webhooks/certificates/issueCertificates.js';
import type { ReviewReport } from '../../src/webhooks/reviewObserver.js';
import { serveWebhooks } from '../../src/webhooks/serveWebhooks.js';
import { convert } from '../../src/webhooks/convert.js';
import { validate } from '../../src/webhooks/validate.js';
import { mutate } from '../../src/webhooks/mutate.js';
import { servedOf, type Webhook } from '../../src/webhooks/webhook.js';
import { deadlineMs, WebhookServer } from '../../src/webhooks/webhookServer.js';
import { type WebhookServerOptions, webhookSettings } from '../../src/webhooks/webhookServerOptions.js';
import { callServer, creation, keptOpen, type Answer } from './support/callServer.js';

const { configmaps } = resources.core.v1;
/** The subjects of these specs emit before they complete. */
const nothing = { defaultValue: undefined as never };
const path = '/validate--v1-configmap';
const settings: V1ConfigMap = { metadata: { name: 'settings', namespace: 'default' }, data: { mode: 'fast' } };

describe('WebhookServer', () => {
  let authority: KeyedCertificate;
  let certificate: KeyedCertificate;
  let server: WebhookServer | undefined;
  let reports: ReviewReport[] = [];
  let lines: string[] = [];

  beforeAll(async () => {
    const time = { now: Date.now(), lifetimeMs: 3_600_000 };
    authority = await makeAuthority(time);
    certificate = await issueCertificate(authority, ['127.0.0.1'], time);
  });
  afterEach(() => server?.stop(0));

  const sourceOf = (certificate$: CertificateSource['certificate$'], problem?: string): CertificateSource => ({
    certificate$,
    problem: () => problem,
    stop: () => Promise.resolve(),
  });
  const start = async (webhooks: readonly Webhook[], options: WebhookServerOptions = {}): Promise<number> => {
    reports = [];
    lines = [];
    const logger = { info: () => undefined, error: (line: string) => void lines.push(line) };
    const given = {
      port: 0,
      host: '127.0.0.1',
      logger,
      observers: [{ ended: (report: ReviewReport) => void reports.push(report) }],
      ...options,
    };
    server = new WebhookServer(webhooks.map(servedOf), sourceOf(concat(of(certificate), NEVER)), webhookSettings('spec', given));
    await server.listening;
    return server.port() ?? 0;
  };
  const call = (port: number, body: string | object, at = path, options = {}): Promise<Answer> =>
    callServer(port, authority.cert, at, body, options);
  const always = validate(configmaps, () => undefined);

  it('says what is missing without webhooks', () => {
    expect(() => serveWebhooks({} as never)).toThrow('Expected `webhooks` of `serveWebhooks` to be a list of webhooks, got undefined');
  });

  it('answers a review with its uid, and reports it', async () => {
    const port = await start([always]);
    const { code, body } = await call(port, creation(settings), `${path}?timeout=5s`, { headers: { traceparent: '00-1-2-01' } });
    expect([code, body]).toEqual([
      200,
      { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'u1', allowed: true } },
    ]);
    expect(reports).toMatchObject([
      {
        webhook: 'validate.v1.configmaps.core',
        operation: 'CREATE',
        verdict: 'allowed',
        code: 200,
        dryRun: false,
        traceparent: '00-1-2-01',
      },
    ]);
  });

  it('sends numbers of a mutation as they came, also those that JavaScript rounds', async () => {
    const reversed = mutate(configmaps, ({ object }) => ({
      ...object,
      list: (object as { readonly list?: readonly number[] }).list?.toReversed(),
    }));
    const port = await start([reversed]);
    const review = JSON.stringify(creation({ ...settings, list: [] })).replace('[]', '[1732972000000000001,9007199254740995]');
    const { body } = await call(port, review, '/mutate--v1-configmap');
    const patch = Buffer.from(String((body['response'] as { readonly patch?: unknown }).patch), 'base64').toString();
    expect(patch).toContain('"path":"/list/0","value":9007199254740995');
    expect(patch).toContain('"path":"/list/1","value":1732972000000000001');
  });

  it('sends numbers of converted objects as they came, also those that JavaScript rounds', async () => {
    const names = { group: 'example.com', plural: 'clocks', kind: 'Clock', namespaced: true };
    const [hub, other] = (['v1', 'v2'] as const).map((version) => customResource<KubernetesObject>({ ...names, version }));
    if (hub === undefined || other === undefined) throw new TypeError('Expected two versions');
    const moved = ({ a, b, ...clock }: KubernetesObject & { readonly a?: unknown; readonly b?: unknown }): KubernetesObject =>
      ({ ...clock, a: b, b: a }) as KubernetesObject;
    const port = await start([convert(hub, { resource: other, toHub: moved, fromHub: moved })]);
    const numbers = '[9007199254740992,-1732972000000000001,9007199254740993,1e21,0.1]';
    const object = `"apiVersion":"example.com/v1","kind":"Clock","metadata":{"name":"x","annotations":{"a":"[18014398509481985]"}}`;
    const review = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"example.com/v2","objects":[{${object},"a":9007199254740995,"b":[1732972000000000001]}]}}`;
    const { text } = await call(port, review, '/convert');
    expect(text).toContain('"a":[1732972000000000001],"b":9007199254740995');
    expect(text).toContain('"a":"[18014398509481985]"');
    const { text: ambiguous } = await call(port, review.replace('[1732972000000000001]', numbers), '/convert');
    expect(ambiguous).toContain('"a":[9007199254740992,-1732972000000000001,9007199254740992,1e+21,0.1],"b":9007199254740995');
  });

  it.each<readonly [number, string, string | object, string, object]>([
    [404, 'an unknown path', creation(settings), '/validate', {}],
    [404, 'a path that is none', creation(settings), '//', {}],
    [405, 'a GET', '', path, { method: 'GET' }],
    [415, 'another content type', creation(settings), path, { headers: { 'content-type': 'application/yaml' } }],
    [400, 'no JSON', '{"data":hunter2', path, {}],
    [400, 'another kind', { ...creation(settings), kind: 'ConversionReview' }, path, {}],
    [400, 'another version', { ...creation(settings), apiVersion: 'admission.k8s.io/v1beta1' }, path, {}],
    [400, 'no request', { ...creation(settings), request: null }, path, {}],
    [400, 'no uid', creation(settings, { uid: 7 }), path, {}],
  ])('answers %i for %s', async (code, _, body, at, options) => {
    const port = await start([always]);
    const answer = await call(port, body, at, options);
    expect(answer).toMatchObject({ code, body: { kind: 'Status', status: 'Failure', code } });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    expect(reports).toEqual([]);
  });

  it('reads no more of a body than its limit, whether or not its length is announced', async () => {
    const port = await start([always], { maxAdmissionBytes: 100 });
    const large = creation({ data: 'x'.repeat(1_000) });
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const answer = await call(port, large, path, { headers }).catch((error: unknown) => error as { code: string });
      // The connection is closed, which the caller may see before it has sent all.
      expect([413, 'EPIPE', 'ECONNRESET']).toContain(answer.code);
    }
  });

  it('speaks TLS 1.2 and later only', async () => {
    const port = await start([always]);
    expect((await call(port, creation(settings), path, { maxVersion: 'TLSv1.2' })).protocol).toBe('TLSv1.2');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(call(port, creation(settings), path, old)).rejects.toThrow(/alert|protocol|version/i);
  });

  it('answers before the caller gives up, and tells the function', async () => {
    const scheduler = new VirtualTimeScheduler();
    const asked$ = new Subject<AbortSignal>();
    const slow = validate(configmaps, ({ signal }) => {
      asked$.next(signal);
      return new Promise(() => undefined);
    });
    const port = await start([slow], { scheduler });
    const asked = firstValueFrom(asked$, nothing);
    const answered = call(port, creation(settings), `${path}?timeout=2s`);
    const signal = await asked;
    advanceBy(scheduler, 1_799);
    expect(signal.aborted).toBe(false);
    advanceBy(scheduler, 1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(await answered).toMatchObject({
      code: 500,
      body: { kind: 'Status', message: 'no answer within 1800 ms', reason: 'InternalError' },
    });
    expect(reports).toMatchObject([{ verdict: 'failed', code: 500, durationMs: 1_800 }]);
    expect(lines).toEqual(['webhooks: validate.v1.configmaps.core: no answer within 1800 ms']);
  });

  it('takes the time that the caller gives, or that the webhook has', () => {
    const of = (query: string): number => deadlineMs(new URL(`https://x/y${query}`), 5);
    expect(['', '?timeout=30s', '?timeout=1s', '?timeout=10s', '?timeout=soon'].map(of)).toEqual([4_500, 29_000, 900, 9_000, 4_500]);
  });

  it('goes on after a function that throws, and answers with the message', async () => {
    const port = await start([
      mutate(configmaps, ({ object }) => {
        if (object.data?.['mode'] === 'fast') throw new Error('too fast');
      }),
    ]);
    expect(await call(port, creation(settings), '/mutate--v1-configmap')).toMatchObject({ code: 500, body: { message: 'too fast' } });
    expect(await call(port, creation({}), '/mutate--v1-configmap')).toMatchObject({ code: 200 });
  });

  it('answers with an error where an answer cannot be written', async () => {
    const port = await start([validate(configmaps, () => ({ auditAnnotations: { size: 10n } as never }))]);
    const answer = await call(port, creation(settings));
    expect(answer).toMatchObject({
      code: 500,
      body: { kind: 'Status', reason: 'InternalError', message: expect.stringContaining('BigInt') },
    });
    expect(reports).toMatchObject([{ verdict: 'failed', code: 500 }]);
  });

  it('answers whatever observers and the logger throw', async () => {
    const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const thrown = (): never => {
      throw new Error('no ink');
    };
    const failing = validate(configmaps, () => {
      throw new Error('no mode');
    });
    const port = await start([failing], {
      observers: [{ began: thrown, ended: thrown }],
      logger: { info: thrown, error: thrown },
    });
    expect(await call(port, creation(settings))).toMatchObject({ code: 500, body: { message: 'no mode' } });
    // Once each: the port, the review that began, its failure, its end.
    expect(said.mock.calls).toEqual(Array.from({ length: 4 }, () => ['webhooks: no ink']));
    said.mockRestore();
  });

  it('serves a new certificate to new connections, while old ones go on', async () => {
    const certificate$ = new Subject<KeyedCertificate>();
    const given = { port: 0, host: '127.0.0.1', logger: { info: () => undefined, error: () => undefined } };
    server = new WebhookServer([servedOf(always)], sourceOf(certificate$, 'no certificate yet'), webhookSettings('spec', given));
    expect([server.problem(), server.port()]).toEqual(['no certificate yet', undefined]);
    certificate$.next(certificate);
    await server.listening;
    expect(server.problem()).toBeUndefined();
    const agent = keptOpen();
    const port = server.port() ?? 0;
    const before = await call(port, creation(settings), path, { agent });
    const renewed = await issueCertificate(authority, ['127.0.0.1'], { now: Date.now(), lifetimeMs: 7_200_000 });
    certificate$.next(renewed);
    const [old, fresh] = [await call(port, creation(settings), path, { agent }), await call(port, creation(settings))];
    expect(old.validTo).toBe(before.validTo);
    expect(Date.parse(fresh.validTo) - Date.parse(before.validTo)).toBeGreaterThan(3_000_000);
    agent.destroy();
  });

  it('is closed when it stops while it begins to listen', async () => {
    const begun = start([always]);
    const stopped = server?.stop(0);
    await begun;
    await stopped;
    expect(server?.port()).toBeUndefined();
  });

  it('answers what is under way when it stops, and sends callers elsewhere', async () => {
    const asked$ = new Subject<() => void>();
    const port = await start([validate(configmaps, () => new Promise<undefined>((resolve) => asked$.next(() => resolve(undefined))))]);
    const asked = firstValueFrom(asked$, nothing);
    const answered = call(port, creation(settings), path, { agent: keptOpen() });
    const answer = await asked;
    const stopped = server?.stop(60_000);
    expect(server?.problem()).toBe('stopping');
    answer();
    expect(await answered).toMatchObject({ code: 200, headers: { connection: 'close' } });
    await stopped;
  });

  it('says what ended it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { readonly port: number };
    const given = { port, host: '127.0.0.1', logger: { info: () => undefined, error: () => undefined } };
    const blocked = new WebhookServer([servedOf(always)], sourceOf(concat(of(certificate), NEVER)), webhookSettings('spec', given));
    expect((await blocked.ended)?.message).toContain('EADDRINUSE');
    taken.close();
    await blocked.stop(0);
  });
});
