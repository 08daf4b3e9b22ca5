import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiServer, type ApiServer } from '../../src/createApiServer.js';
import { QueryParameters } from '../../src/http/queryParameters.js';
import type { ServedResource } from '../../src/kinds/servedResource.js';
import { plainRepresentation } from '../../src/read/representation.js';
import { selectionOf } from '../../src/read/selection.js';
import { WatchSession } from '../../src/watch/watchSession.js';
import type { WatchFrame, WatchSink } from '../../src/watch/watchSink.js';

/** A client with a full or an empty send buffer. */
class Client implements WatchSink {
  onDrain: (() => void) | undefined;
  onClose: (() => void) | undefined;
  /** Whether `send` returns true: the buffer has room. */
  quick = true;
  readonly batches: (readonly WatchFrame[])[] = [];
  private awaited: (() => void) | undefined;

  send(frames: readonly WatchFrame[]): boolean {
    this.batches.push(frames);
    this.awaited?.();
    return this.quick;
  }

  end(): void {
    this.awaited?.();
  }

  destroy(): void {
    this.awaited?.();
  }

  /** Waits until there are this many batches. */
  async until(count: number): Promise<void> {
    while (this.batches.length < count) await new Promise<void>((resolve) => (this.awaited = resolve));
  }

  get names(): readonly (readonly string[])[] {
    return this.batches.map((frames) => frames.map(nameOf));
  }
}

function nameOf({ parts }: WatchFrame): string {
  const { object } = JSON.parse(Buffer.concat(parts).toString()) as { readonly object: { readonly metadata: { readonly name: string } } };
  return object.metadata.name;
}

describe('WatchSession', () => {
  let server: ApiServer;
  let resource: ServedResource;

  beforeEach(async () => {
    server = await createApiServer();
    const found = server.cluster.kinds.find('v1', 'secrets');
    if (found === undefined) throw new Error('secrets are served');
    resource = found;
  });

  afterEach(() => server.close());

  async function watch(sink: Client, resourceVersion?: number): Promise<WatchSession> {
    const { cluster } = server;
    const session = new WatchSession(cluster, {
      bucket: cluster.store.bucket(resource.bucketId),
      selection: selectionOf({ resource, namespace: '', name: '' }, new QueryParameters(''), () => undefined),
      representation: plainRepresentation(resource),
      options: { resourceVersion, initialEvents: false, marker: false, bookmarks: false, timeoutMs: 60_000 },
      sink,
      onEnd: () => cluster.watches.remove(session),
    });
    cluster.watches.add(session);
    await session.start();
    return session;
  }

  function put(name: string, filling = ''): void {
    const data = { filling: Buffer.from(filling).toString('base64') };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, data };
    server.objects.put(secret);
  }

  it('sends watches that show the same one and the same batch', async () => {
    const [one, other] = [new Client(), new Client()];
    const sessions = [await watch(one), await watch(other)];
    put('a');
    put('b');
    await Promise.all([one.until(1), other.until(1)]);
    expect(one.names).toEqual([['a', 'b']]);
    expect(other.batches[0]).toBe(one.batches[0]);
    for (const session of sessions) session.end();
  });

  it('sends what has come while its client was slow together with what comes next', async () => {
    const [slow, quick] = [new Client(), new Client()];
    slow.quick = false;
    const sessions = [await watch(slow), await watch(quick)];
    put('a');
    await Promise.all([slow.until(1), quick.until(1)]);
    put('b');
    await quick.until(2);
    expect(slow.names).toEqual([['a']]);
    slow.onDrain?.();
    put('c');
    await Promise.all([slow.until(2), quick.until(3)]);
    expect(slow.names).toEqual([['a'], ['b', 'c']]);
    expect(quick.names).toEqual([['a'], ['b'], ['c']]);
    for (const session of sessions) session.end();
  });

  it('sends what has come while its client was slow, should nothing come after it', async () => {
    const [slow, quick] = [new Client(), new Client()];
    slow.quick = false;
    const sessions = [await watch(slow), await watch(quick)];
    put('a');
    await Promise.all([slow.until(1), quick.until(1)]);
    put('b');
    await quick.until(2);
    slow.onDrain?.();
    await slow.until(2);
    expect(slow.names).toEqual([['a'], ['b']]);
    for (const session of sessions) session.end();
  });

  it('goes on at once where there was more to send than one batch', async () => {
    const from = server.cluster.store.resourceVersion;
    for (const name of ['a', 'b', 'c', 'd', 'e']) put(name, 'x'.repeat(30_000));
    const client = new Client();
    client.quick = false;
    const session = await watch(client, from);
    expect(client.names).toEqual([['a', 'b']]);
    client.onDrain?.();
    expect(client.names).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    client.onDrain?.();
    expect(client.names).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    session.end();
  });
});
