import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import type { ApiServerFaults } from '../../src/faults/faults.js';
import type { Fault } from '../../src/faults/fault.js';
import { open } from '../support/httpClient.js';
import { openTarget, status, type Target } from '../support/target.js';

const streaming = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** An answer as the pieces that it came in. */
interface Pieces {
  readonly message: IncomingMessage;
  readonly pieces: readonly Buffer[];
  /** Resolves once this many lines have arrived. */
  until(lines: number): Promise<void>;
}

function readPieces(message: IncomingMessage): Pieces {
  const pieces: Buffer[] = [];
  message.on('error', () => undefined);
  message.on('data', (piece: Buffer) => pieces.push(piece));
  const lines = (): number => Buffer.concat(pieces).toString().split('\n').length - 1;
  return {
    message,
    pieces,
    until: async (count) => {
      while (lines() < count) await once(message, 'data');
    },
  };
}

describe('faults', () => {
  let target: Target;
  let faults: ApiServerFaults;
  let path: string;
  beforeEach(async () => {
    target = await openTarget();
    ({ faults } = target.server);
    path = await target.secrets();
    for (const name of ['a', 'b', 'c']) await target.post(path, { metadata: { name } });
  });
  afterEach(() => target.close());

  const watchFrom = async (version: string): ReturnType<Target['watch']> => target.watch(`${path}?watch=true&resourceVersion=${version}`);
  const piecesOf = async (from: string): Promise<Pieces> =>
    readPieces(await open(target.endpoint, `${path}?watch=true&resourceVersion=${from}`, { headers: { 'user-agent': 'pieces' } }));
  const version = async (): Promise<string> => (await target.must(path)).metadata.resourceVersion;

  it.each([
    [401, 'Unauthorized', /^Unauthorized$/],
    [403, 'Forbidden', /^secrets is forbidden: User "system:admin" cannot list resource "secrets" in API group "" in the namespace ".*"$/],
    [404, 'NotFound', /^the server could not find the requested resource$/],
    [410, 'Expired', /too old/],
    [429, 'TooManyRequests', /Too many requests/],
    [500, 'InternalError', /^Internal error occurred: /],
    [503, 'ServiceUnavailable', /unable to handle/],
    [504, 'Timeout', /Too large resource version/],
  ])('answers %i in the words of Kubernetes (rows 27, 90)', async (code, reason, message) => {
    const fault = faults.inject({ type: 'answer', verb: 'list', resource: 'secrets', code, count: 1 });
    const { json, headers } = await target.request(path);
    expect(json).toMatchObject(status(code, reason, expect.stringMatching(message)));
    expect(headers['retry-after']).toBe(code === 429 || code === 504 ? '1' : undefined);
    expect([fault.struck, fault.active]).toEqual([1, false]);
    expect((await target.request(path)).code).toBe(200);
  });

  it('answers 410 to the start of a watch as an HTTP status (row 27)', async () => {
    faults.inject({ type: 'answer', verb: 'watch', code: 410 });
    const { code, json } = await target.request(`${path}?watch=true`);
    expect([code, json.reason]).toEqual([410, 'Expired']);
  });

  it('answers what no API server would: plain text, HTML, broken JSON (row 90)', async () => {
    faults.inject({ type: 'answer', code: 429, body: 'Too many requests, please try again later.', retryAfterSeconds: 1, count: 1 });
    const busy = await target.request(path);
    expect([busy.code, busy.headers['content-type'], busy.headers['retry-after'], busy.text]).toEqual([
      429,
      'text/plain; charset=utf-8',
      '1',
      'Too many requests, please try again later.',
    ]);
    faults.inject({ type: 'answer', code: 502, body: '<html>', contentType: 'text/html', count: 1 });
    expect((await target.request(path)).headers['content-type']).toBe('text/html');
  });

  it('strikes the requests it is about, as often and as late as it says', async () => {
    const fault = faults.inject({
      type: 'answer',
      code: 409,
      verb: ['update', 'patch'],
      resource: 'secrets',
      name: 'a',
      skip: 1,
      count: 2,
    });
    const codes: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const init = {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels: { run: String(run) } } },
      };
      codes.push((await target.request(`${path}/b`, init)).code, (await target.request(`${path}/a`, init)).code);
    }
    expect(codes).toEqual([200, 200, 200, 409, 200, 409, 200, 200, 200, 200]);
    expect(fault.struck).toBe(2);
    faults.inject({ type: 'answer', code: 500, path: /\/secrets\/c$/ });
    expect([(await target.request(`${path}/a`)).code, (await target.request(`${path}/c`)).code]).toEqual([200, 500]);
    expect(faults.injected).toHaveLength(2);
    faults.clear();
    expect((await target.request(`${path}/c`)).code).toBe(200);
  });

  it('strikes whom it is about: by client, by user, or by whatever a test decides', async () => {
    const own = await openTarget({ auth: { tokens: { 'token-a': 'alice', 'token-b': 'bob' } } });
    const codeOf = async (token: string, agent: string): Promise<number> =>
      (await own.request('/api/v1/pods', { headers: { authorization: `Bearer ${token}`, 'user-agent': agent } })).code;
    const strikes = own.server.faults;
    strikes.inject({ type: 'answer', code: 500, userAgent: 'kubectl/1' });
    strikes.inject({ type: 'answer', code: 503, userAgent: /^informer/ });
    expect([await codeOf('token-a', 'kubectl/1'), await codeOf('token-a', 'informer/2'), await codeOf('token-a', 'other')]).toEqual([
      500, 503, 200,
    ]);
    strikes.clear();
    strikes.inject({ type: 'answer', code: 403, user: 'bob', verb: 'list', resource: 'pods' });
    expect([await codeOf('token-a', 'x'), await codeOf('token-b', 'x')]).toEqual([200, 403]);
    strikes.clear();
    strikes.inject({ type: 'answer', code: 429, when: ({ query, user }) => query === '' && user.name === 'alice' });
    expect([await codeOf('token-a', 'x'), await codeOf('token-b', 'x')]).toEqual([429, 200]);
    await own.close();
  });

  it('is there for a while only, by the clock of the server', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const own = await openTarget({ clock });
    own.server.faults.inject({ type: 'answer', code: 500, forMs: 1_000 });
    clock.advanceBy(999);
    expect((await own.request('/version')).code).toBe(500);
    clock.advanceBy(1);
    expect((await own.request('/version')).code).toBe(200);
    await own.close();
  });

  it('strikes as likely as it says', async () => {
    const own = await openTarget({ seed: 1 });
    const fault = own.server.faults.inject({ type: 'answer', code: 500, probability: 0.5 });
    for (let run = 0; run < 40; run += 1) await own.request('/version');
    expect(fault.struck).toBeGreaterThan(8);
    expect(fault.struck).toBeLessThan(32);
    await own.close();
  });

  it('delays a request', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const own = await openTarget({ clock });
    own.server.faults.inject({ type: 'delay', ms: 5_000 });
    let answered = false;
    const answer = own.request('/version').then(() => (answered = true));
    while (clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advanceBy(4_999);
    expect([clock.timers, answered]).toEqual([1, false]);
    clock.advanceBy(1);
    await answer;
    await own.close();
  });

  it.each<Fault>([
    { type: 'cut', at: 'headers' },
    { type: 'cut', at: 'headers', how: 'end' },
    { type: 'cut', at: 'body' },
    { type: 'cut', at: 'body', how: 'end', afterBytes: 10 },
  ])('cuts the connection of a list: %j (row 29)', async (fault) => {
    faults.inject(fault);
    await expect(target.request(path)).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
    faults.clear();
    expect((await target.request(path)).code).toBe(200);
  });

  it('ends a list in good order before it is complete', async () => {
    faults.inject({ type: 'truncate', afterBytes: 40 });
    const { code, text } = await target.request(path);
    expect([code, text]).toEqual([200, '{"kind":"SecretList","apiVersion":"v1","']);
  });

  it.each<Fault>([
    { type: 'cut', at: 'body', afterBytes: 60 },
    { type: 'truncate', afterBytes: 60 },
    { type: 'freeze', at: 'body', afterBytes: 60 },
  ])('does not strike a body that ends before its place: %j', async (fault) => {
    const injected = faults.inject({ ...fault, count: 1 });
    expect([(await target.request('/healthz')).text, injected.struck]).toEqual(['ok', 0]);
    const message = await open(target.endpoint, path);
    message.on('error', () => undefined);
    const [sent] = (await once(message, 'data')) as [Buffer];
    expect([sent.length, injected.struck]).toEqual([60, 1]);
    message.destroy();
  });

  it('counts the bytes of an answer of several writes, and each answer once', async () => {
    const data = { large: btoa('x'.repeat(150_000)) };
    for (const name of ['d', 'e', 'f']) await target.post(path, { metadata: { name }, data });
    const whole = (await target.request(path)).text.length;
    for (const afterBytes of [300_000, 500_000]) {
      const fault = faults.inject({ type: 'truncate', afterBytes, skip: 1 });
      const lengths = [(await target.request(path)).text.length, (await target.request(path)).text.length];
      expect([lengths, fault.struck]).toEqual([[whole, afterBytes], 1]);
      fault.remove();
    }
  });

  it('sends a list a few bytes at a time', async () => {
    const fault = faults.inject({ type: 'drip', bytes: 16, everyMs: 0 });
    const { json, text } = await target.request(path);
    expect([json.items.length, fault.struck, text.length > 100]).toEqual([3, 1, true]);
  });

  it.each(['headers', 'body'] as const)('never completes an answer: frozen at its %s (row 29)', async (at) => {
    const fault = faults.inject({ type: 'freeze', at, resource: 'secrets', ...(at === 'body' && { afterBytes: 20 }) });
    let sent = 0;
    const answer = open(target.endpoint, path).then(
      (message) =>
        new Promise<void>((resolve) => {
          message.once('data', (part: Buffer) => {
            sent = part.length;
            resolve();
          });
        }),
    );
    while (fault.struck === 0) await new Promise((resolve) => setImmediate(resolve));
    if (at === 'body') await answer;
    expect((await target.request('/version')).code).toBe(200);
    expect([fault.struck, sent]).toEqual([1, at === 'body' ? 20 : 0]);
    answer.catch(() => undefined);
  });

  it('cuts a watch between two events, or inside one (row 29)', async () => {
    for (const at of ['body', 'line'] as const) {
      const watch = await watchFrom(await version());
      await target.post(path, { metadata: { name: `first-${at}` } });
      await watch.next();
      const fault = faults.inject({ type: 'cut', at, verb: 'watch', count: 1 });
      await target.post(path, { metadata: { name: `second-${at}` } });
      expect(await watch.ended).toBe(false);
      expect([watch.events.length, watch.rest !== '', fault.struck]).toEqual([1, at === 'line', 1]);
    }
  });

  it('half-closes a watch: no more comes, and no end of the answer either (row 29)', async () => {
    const watch = await watchFrom(await version());
    faults.inject({ type: 'cut', at: 'line', how: 'end', verb: 'watch' });
    await target.post(path, { metadata: { name: 'd' } });
    expect(await watch.ended).toBe(false);
    expect(watch.rest).not.toBe('');
  });

  it('strikes silent watches at once, where that is asked for (row 29)', async () => {
    const watches = [await watchFrom(await version()), await watchFrom(await version())] as const;
    const error = faults.inject({ type: 'endWatch', errorCode: 410, atOnce: true, count: 1 });
    expect(await watches[0].ended).toBe(true);
    expect(watches[0].events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    const cut = faults.inject({ type: 'cut', at: 'body', how: 'end', atOnce: true });
    expect(await watches[1].ended).toBe(false);
    expect([error.struck, cut.struck, watches[1].events]).toEqual([1, 1, []]);
  });

  it('ends a watch in good order inside an event', async () => {
    const watch = await watchFrom(await version());
    faults.inject({ type: 'truncate', afterBytes: 20 });
    await target.post(path, { metadata: { name: 'd' } });
    expect(await watch.ended).toBe(true);
    expect([watch.events, watch.rest]).toEqual([[], '{"type":"ADDED","obj']);
  });

  it('splits the events of a watch into small pieces, until the fault is gone', async () => {
    const { message, ...watch } = await piecesOf(await version());
    const fault = faults.inject({ type: 'drip', bytes: 100, everyMs: 1, verb: 'watch', count: 1 });
    await target.post(path, { metadata: { name: 'd' } });
    await watch.until(1);
    expect(watch.pieces.every(({ length }) => length <= 100)).toBe(true);
    expect([watch.pieces.length > 2, fault.struck]).toEqual([true, 1]);
    fault.remove();
    message.destroy();
  });

  it('puts events into one piece that happen within a while', async () => {
    const { message, ...watch } = await piecesOf(await version());
    const fault = faults.inject({ type: 'drip', bytes: 100_000, everyMs: 3_600_000, verb: 'watch', userAgent: 'pieces' });
    // It was opened later, so it is notified later.
    const other = await watchFrom(await version());
    for (const name of ['d', 'e', 'f']) await target.post(path, { metadata: { name } });
    await other.take(3);
    other.close();
    expect(watch.pieces).toEqual([]);
    fault.remove();
    await watch.until(3);
    expect(watch.pieces).toHaveLength(1);
    message.destroy();
  });

  it.each([410, 429, 500, 504])('ends a watch with an ERROR event of %i (row 29)', async (code) => {
    const watch = await watchFrom(await version());
    faults.inject({ type: 'endWatch', errorCode: code });
    await target.post(path, { metadata: { name: 'd' } });
    expect(await watch.ended).toBe(true);
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code } }]);
  });

  it('ends a watch early, in good order (row 29)', async () => {
    const watch = await watchFrom(await version());
    faults.inject({ type: 'endWatch' });
    await target.post(path, { metadata: { name: 'd' } });
    expect(await watch.ended).toBe(true);
    expect(watch.events).toEqual([]);
  });

  it('freezes a watch that is open, and lets it go on later without loss (row 29)', async () => {
    const watch = await watchFrom(await version());
    const fault = faults.inject({ type: 'freeze', at: 'body', verb: 'watch' });
    for (const name of ['d', 'e', 'f']) await target.post(path, { metadata: { name } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(watch.events).toEqual([]);
    fault.remove();
    expect((await watch.take(3)).map(({ object }) => object.metadata.name)).toEqual(['d', 'e', 'f']);
    watch.close();
  });

  it.each([
    ['drop', ['e']],
    ['repeat', ['d', 'd', 'e']],
    ['swap', ['e', 'd']],
    ['delay', ['d', 'e']],
  ] as const)('can %s events of a watch', async (action, expected) => {
    const watch = await watchFrom(await version());
    faults.inject({ type: 'event', action, eventType: 'ADDED', count: 1, ms: 50 });
    for (const name of ['d', 'e']) await target.post(path, { metadata: { name } });
    expect((await watch.take(expected.length)).map(({ object }) => object.metadata.name)).toEqual(expected);
    watch.close();
  });

  it.each([
    ['bookmarks', []],
    ['marker', []],
    ['annotation', [undefined]],
  ] as const)('withholds %s (row 21)', async (what, expected) => {
    faults.inject({ type: 'withhold', what });
    const watch = await target.watch(`${path}?${streaming}&timeoutSeconds=1`);
    await watch.ended;
    expect(watch.events.slice(0, 3).map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED']);
    expect(watch.events.slice(3).map(({ object }) => object.metadata.annotations)).toEqual(expected);
  });

  it('shows an older state to those that take any (6.2)', async () => {
    const snapshot = target.server.snapshot();
    const { metadata } = await target.post(path, { metadata: { name: 'd' } });
    const fault = faults.inject({ type: 'stale', snapshot });
    const stale = await target.must(`${path}?resourceVersion=0`);
    expect([stale.items.length, stale.metadata.resourceVersion]).toEqual([3, String(snapshot.resourceVersion)]);
    expect((await target.must(path)).items).toHaveLength(4);
    const watch = await target.watch(`${path}?watch=true&resourceVersion=0`);
    expect((await watch.take(4)).map(({ object }) => object.metadata.name)).toEqual(['a', 'b', 'c', 'd']);
    expect(watch.events[3]?.object.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(fault.struck).toBe(2);
    watch.close();
  });

  it('ends a watch from an older state whose next changes are forgotten, instead of leaving them out (6.2)', async () => {
    const own = await openTarget({ historyLimit: 1 });
    const secrets = await own.secrets();
    await own.post(secrets, { metadata: { name: 'a' } });
    const snapshot = own.server.snapshot();
    await own.delete(`${secrets}/a`);
    for (const name of ['b', 'c']) await own.post(secrets, { metadata: { name } });
    own.server.faults.inject({ type: 'stale', snapshot });
    const watch = await own.watch(`${secrets}?watch=true&resourceVersion=0`);
    expect(await watch.ended).toBe(true);
    expect(watch.events.map(({ type, object }) => [type, object.metadata.name])).toEqual([['ADDED', 'a']]);
    const next = await own.watch(`${secrets}?watch=true&resourceVersion=${String(snapshot.resourceVersion)}`);
    expect(await next.next()).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    await own.close();
  });

  it('ends a frozen watch once it goes on', async () => {
    const watch = await watchFrom(await version());
    const fault = faults.inject({ type: 'freeze', at: 'body', verb: 'watch' });
    await target.post(path, { metadata: { name: 'd' } });
    while (fault.struck === 0) await new Promise((resolve) => setImmediate(resolve));
    faults.endWatches();
    fault.remove();
    expect(await watch.ended).toBe(true);
    expect(watch.events).toHaveLength(1);
  });

  it('expires everything older than now (row 28)', async () => {
    const old = await version();
    const { metadata } = await target.must(`${path}?limit=1`);
    await target.post(path, { metadata: { name: 'd' } });
    faults.expire();
    const watch = await watchFrom(old);
    expect((await watch.next()).object.code).toBe(410);
    expect((await target.request(`${path}?continue=${metadata.continue ?? ''}`)).code).toBe(410);
    expect((await target.request(`${path}?resourceVersion=${old}&resourceVersionMatch=Exact`)).code).toBe(410);
  });

  it('ends watches, cuts connections, and stops serving a kind', async () => {
    const first = await watchFrom(await version());
    faults.endWatches();
    expect(await first.ended).toBe(true);
    const second = await watchFrom(await version());
    faults.cutConnections();
    expect(await second.ended).toBe(false);
    const third = await watchFrom(await version());
    const restore = faults.removeKind({ group: '', plural: 'secrets' });
    expect(await third.ended).toBe(true);
    expect((await target.request(path)).code).toBe(404);
    expect(JSON.stringify(await target.must('/api/v1'))).not.toContain('"secrets"');
    restore();
    expect((await target.must(path)).items).toHaveLength(3);
  });

  it('goes back to an older state, whose versions are then taken again (6.1)', async () => {
    const snapshot = target.server.snapshot();
    const { metadata } = await target.post(path, { metadata: { name: 'lost' } });
    const watch = await watchFrom(metadata.resourceVersion);
    target.server.restore(snapshot);
    expect(await watch.ended).toBe(true);
    expect((await target.request(`${path}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`)).code).toBe(504);
    const again = await target.post(path, { metadata: { name: 'other' } });
    expect(again.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it.each([
    [{ type: 'nonsense' }, /Expected `type` of a fault to be one of answer, delay, /],
    [{ type: 'answer' }, /Expected `code` of a fault to be a number from 100 to 599, got/],
    [{ type: 'cut', at: 'nowhere' }, 'Expected `at` of a fault to be one of headers, body, line, got "nowhere"'],
    [{ type: 'answer', code: 500, count: 0 }, 'Expected `count` of a fault to be a number at least 1, got 0'],
    [{ type: 'answer', code: 500, probability: 2 }, 'Expected `probability` of a fault to be a number from 0 to 1, got 2'],
    [{ type: 'answer', code: 500, times: 1 }, 'Expected no field "times" in a fault of the type answer'],
    [{ type: 'truncate' }, 'Expected `afterBytes` of a fault to be a number at least 0, got undefined'],
    [{ type: 'stale' }, 'Expected `snapshot` of a fault to be a snapshot of the server, got undefined'],
    [
      { type: 'delay', ms: 1, verb: [] },
      'Expected `verb` of a fault to be one or several of get, list, watch, create, update, patch, delete, deletecollection, post, put, head, options, got []',
    ],
    [{ type: 'delay', ms: 1, when: 'now' }, 'Expected `when` of a fault to be a function, got "now"'],
    [{ type: 'event', action: 'eat' }, 'Expected `action` of a fault to be one of drop, repeat, delay, swap, got "eat"'],
  ])('refuses %j', (fault, message) => {
    expect(() => faults.inject(fault as Fault)).toThrow(message);
  });

  describe('that nothing can meet', () => {
    it.each([
      [{ verb: 'ptch' }, /^Expected `verb` of a fault to be one or several of get, .*; did you mean `patch`, got "ptch"$/],
      [{ verb: ['list', 'wach'] }, /did you mean `watch`/],
      [
        { resource: 'pod' },
        /^Expected `resource` of a fault to be a resource that is served, such as pods or deployments\.apps; did you mean `pods`.*, got "pod"$/,
      ],
      [{ resource: 'deployments' }, /a resource that is served/],
      [{ resource: 'deployment.apps' }, /did you mean `deployments.apps`/],
      [{ resource: 'nodes', namespace: 'default' }, /^Expected `namespace` of a fault to be absent, since nodes have none, got "default"$/],
      [{ resource: 'pods', subresource: 'statuses' }, /did you mean `status`/],
      [{ resorce: 'pods' }, /^Expected no field "resorce" in a fault of the type delay; did you mean `resource`\?$/],
    ])('is refused: %j', (scope, message) => {
      expect(() => faults.inject({ type: 'delay', ms: 1, ...scope } as Fault)).toThrow(message);
    });

    it('is refused where a fault of watches is to strike something else', () => {
      expect(() => faults.inject({ type: 'endWatch', verb: 'list' })).toThrow('a fault of the type endWatch strikes watches alone');
    });

    it('is taken for a kind that a definition may bring later', async () => {
      faults.inject({ type: 'delay', ms: 1, resource: 'widgets.example.com', optional: true });
      await expect(target.close()).resolves.toBeUndefined();
      target = await openTarget();
    });
  });

  describe('that never struck', () => {
    const closing = async (): Promise<unknown> => {
      const outcome = await target.close().then(
        () => 'closed',
        (error: unknown) => String(error),
      );
      target = await openTarget();
      return outcome;
    };

    it('make the closing of the server fail, once all is closed', async () => {
      faults.inject({ type: 'answer', code: 409, resource: 'pods', path: /never/ });
      faults.inject({ type: 'delay', ms: 1 });
      await target.request(path);
      const { url } = target.endpoint;
      expect(await closing()).toMatch(/^Error: A fault never struck, .*"resource":"pods","path":"\/never\/"/);
      await expect(fetch(url)).rejects.toThrow();
    });

    it('count also when they were taken out', async () => {
      faults.inject({ type: 'delay', ms: 1 }).remove();
      expect(await closing()).toMatch(/A fault never struck/);
    });

    it('may be: optional ones, improbable ones, and those that were cleared', async () => {
      faults.inject({ type: 'delay', ms: 1 });
      faults.clear();
      faults.inject({ type: 'delay', ms: 1, optional: true });
      faults.inject({ type: 'delay', ms: 1, probability: 0.5 });
      expect(await closing()).toBe('closed');
    });
  });
});
