import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { resources } from '../../../src/api/resources.js';
import { tracing } from '../../../src/informer/parts/tracing.js';
import type { ClientOptions } from '../../../src/client/clientOptions.js';
import { createClient } from '../../../src/client/createClient.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { listerWatcher } from '../../../src/source/listerWatcher.js';
import { recordSource } from '../../../src/source/recording/recordSource.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { certificates } from '../node/certificates.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from '../node/temporaryFolder.js';
import { sendJson, startServer, until, type SeenRequest, type SpecServer } from '../startServer.js';

const secret = 'CANARY-9f3/xQ+b7 "Z"-2468';
const token = 'CANARY-9f3/xQ+b7.Z-2468';

let server: SpecServer;
let folder: TemporaryFolder | undefined;
afterEach(async () => {
  folder?.remove();
  await server.close();
});

/** The answers of a server that repeats the received credentials. */
const said: readonly ((got: string) => object)[] = [
  (got) => ({ message: `token ${got} is not valid` }),
  (got) => ({ message: `Authorization: Bearer ${encodeURIComponent(got)}` }),
  (got) => ({ message: `credential ${Buffer.from(got).toString('base64')} of ${Buffer.from(`jane:${got}`).toString('base64url')}` }),
  (got) => ({ message: got.slice(0, 11), details: { causes: [{ message: got.slice(11, 15), field: got }, { message: got.slice(15) }] } }),
  (got) => ({ message: 'no', reason: `Bad${got}`, details: { name: got, uid: JSON.stringify(got), kind: got } }),
];

function credentialOf({ headers: { authorization = '' } }: SeenRequest): string {
  const [, scheme, value = ''] = /^(\S+) (.*)$/.exec(authorization) ?? [];
  return scheme === 'Basic'
    ? Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : value;
}

const pki = certificates();

/** A kubeconfig's credentials are sent over TLS only. */
async function serve(isSecure: boolean): Promise<string> {
  let answers = 0;
  server = await startServer(
    (request, response, seen) => {
      const got = credentialOf(seen);
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...said[answers++ % said.length]?.(got) };
      if (request.url?.includes('watch=') === true) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`${JSON.stringify({ type: 'ERROR', object: { ...status, code: 500 } })}\n`);
      } else if (answers % 7 === 3) response.writeHead(500, { 'content-type': 'text/plain' }).end(`what is ${got}?`);
      else if (answers % 7 === 5) response.writeHead(200, { 'content-type': `text/${got}` }).end();
      else sendJson(response, { ...status, code: 403 }, 403);
    },
    isSecure ? pki.server : undefined,
  );
  return server.url;
}

function inFile(url: string, user: Record<string, unknown>): ClientOptions {
  folder = temporaryFolder();
  return { kubeConfigFile: folder.write('config', kubeconfigOf({ server: url, 'certificate-authority-data': btoa(pki.ca) }, user)) };
}

const printed = `console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: { token: '${token}' } }))`;
const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command: process.execPath, args: ['-e', printed] };

const credentials: readonly [string, string, (url: string) => ClientOptions, isSecure: boolean][] = [
  ['a token', token, (url) => ({ server: url, token }), false],
  ['a token, over fetch', token, (url) => ({ server: url, token, fetch }), false],
  ['a password', secret, (url) => inFile(url, { username: 'jane', password: secret }), true],
  ['what a plugin gave', token, (url) => inFile(url, { exec }), true],
];

/** Whether a text contains eight consecutive characters of a secret, as it is or in base64. */
function quotes(text: string, value: string): boolean {
  const forms = [value, encodeURIComponent(value), Buffer.from(value).toString('base64'), Buffer.from(`jane:${value}`).toString('base64')];
  return forms.some((form) =>
    Array.from({ length: form.length - 8 }, (_, at) => form.slice(at, at + 9)).some((piece) => text.includes(piece)),
  );
}

describe('a credential that a server repeats', () => {
  it.each(credentials)('is in no error of a request: %s', async (_, value, options, isSecure) => {
    const client = createClient(options(await serve(isSecure)));
    for (let n = 0; n < 14; n += 1) {
      const error: unknown = await client.get(resources.core.v1.nodes, 'x').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Error);
      expect(quotes(inspect(error, { depth: 9 }) + JSON.stringify(error), value)).toBe(false);
    }
    client.close();
  });

  it.each(credentials)('is in nothing that an informer tells: %s', async (_, value, options, isSecure) => {
    const client = createClient(options(await serve(isSecure)));
    const texts: string[] = [];
    const tell = (what: unknown): unknown => texts.push(inspect(what, { depth: 9 }), JSON.stringify(what));
    const backoff = { initialMs: 1, maxMs: 1 };
    const informer = createInformer(client, resources.core.v1.nodes, { backoff, logger: { warn: tell }, parts: [tracing(tell)] });
    informer.error$.subscribe(tell);
    informer.health$.subscribe(tell);
    informer.start();
    await until(() => server.requests.length > 12);
    await informer.stop();
    tell(informer.health());
    const recording = reflect(listerWatcher(client, resources.core.v1.nodes), { backoff })
      .pipe(recordSource())
      .subscribe((line) => texts.push(line));
    await until(() => server.requests.length > 24);
    recording.unsubscribe();
    client.close();
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => quotes(text, value))).toEqual([]);
  });

  it('is hidden after it was renewed, and from the errors of another client', async () => {
    const url = await serve(false);
    const tokens = ['CANARY-first-one', 'CANARY-second-one'];
    const rotating = createClient({ server: url, token: () => tokens.shift() ?? 'CANARY-third-one' });
    for (let n = 0; n < 3; n += 1) await rotating.getPath('/a').catch(() => undefined);
    const other = createClient({ server: url, token: () => Promise.reject(new Error('no more than CANARY-first-one')) });
    await expect(other.getPath('/a')).rejects.toThrow('GET /a was not sent, as there are no credentials: no more than ***');
    rotating.close();
    other.close();
  });
});
