import { DecodeError } from '../../../api/errors/decodeError.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import type { FakeListerWatcher } from '../../fakes/fakeListerWatcher.js';
import { connectionError, failureStatus, statusError } from '../../fakes/serverErrors.js';

/** A history: changes of the server over time. @internal */
export type History = (server: FakeListerWatcher, wait: (ms: number) => void) => void;

/** An object of these histories: they are in the namespaces `web` and `db`. @internal */
export function sourceObject(name: string, namespace = 'web'): KubernetesObject {
  return { metadata: { namespace, name } };
}

/** A few changes of every kind. */
function change(server: FakeListerWatcher): void {
  server.modify(sourceObject('a'));
  server.delete('web/c');
  server.delete('db/b');
  server.add(sourceObject('d'));
  server.add(sourceObject('b', 'db'));
}

function failing(verb: 'list' | 'watch', error: unknown): History {
  return (server, wait) => {
    // The first request of this verb is refused.
    server.failNext(verb, error);
    server.failNext(verb, error);
    wait(10);
    change(server);
  };
}

/**
 * Histories with which a source must converge: the expected result, the changes while it is subscribed to, and those before.
 *
 * @internal
 */
export const sourceHistories: readonly (readonly [name: string, during: History, before?: History])[] = [
  ['what was there before', () => undefined],
  ['that there is nothing', () => undefined, (server) => ['web/a', 'db/b', 'web/c'].forEach((key) => void server.delete(key))],
  ['additions, changes and deletions', change],
  [
    'changes while the first list is on its way',
    (server, wait) => {
      wait(3);
      change(server);
    },
  ],
  [
    'an object made anew under its old name',
    (server) => {
      server.delete('web/a');
      server.add(sourceObject('a'));
    },
  ],
  [
    'what happened while a watch was closed',
    (server, wait) => {
      wait(2000);
      server.close();
      change(server);
    },
  ],
  [
    'what happened while the connection was broken',
    (server, wait) => {
      wait(2000);
      server.reset();
      change(server);
    },
  ],
  [
    'what happened before its version expired',
    (server, wait) => {
      wait(2000);
      change(server);
      server.expire();
    },
  ],
  [
    'what happened after its version expired',
    (server, wait) => {
      wait(2000);
      server.expire();
      change(server);
    },
  ],
  [
    'what was compacted away while it was not connected',
    (server, wait) => {
      wait(2000);
      server.stop();
      change(server);
      server.compact();
      wait(30_000);
      server.start();
    },
  ],
  [
    'what happened on a connection that is half-open',
    (server, wait) => {
      wait(2000);
      server.stall();
      change(server);
    },
  ],
  [
    'what happened while the server was down for ten minutes',
    (server, wait) => {
      server.stop();
      change(server);
      wait(600_000);
      server.start();
    },
  ],
  [
    'what happened around an ERROR event',
    (server, wait) => {
      wait(2000);
      server.fail(failureStatus(500, 'InternalError', 'etcd'));
      change(server);
    },
  ],
  [
    'that the server was restored from a backup',
    (server, wait) => {
      const backup = server.resourceVersion;
      change(server);
      wait(2000);
      server.restore(backup);
    },
  ],
  [
    'that the server was restored from a backup while it was away',
    (server, wait) => {
      const backup = server.resourceVersion;
      change(server);
      wait(2000);
      server.stop();
      wait(30_000);
      server.restore(backup);
      server.start();
    },
  ],
  [
    'that the server was restored from a backup behind a connection that is half-open, and has gone on since',
    (server, wait) => {
      const backup = server.resourceVersion;
      change(server);
      wait(2000);
      server.stall();
      server.restore(backup);
      server.modify(sourceObject('b', 'db'));
    },
  ],
  [
    'events that were lost, with its next list',
    (server, wait) => {
      wait(2000);
      server.loseEvents(() => change(server));
      server.expire();
    },
  ],
  ['a list that is refused with 401', failing('list', statusError(401, 'Unauthorized', 'no'))],
  ['a list that is refused with 403', failing('list', statusError(403, 'Forbidden', 'no'))],
  ['a kind that is not served yet', failing('list', statusError(404, 'NotFound', 'no'))],
  ['a list that is refused with 429', failing('list', statusError(429, 'TooManyRequests', 'busy', 3000))],
  ['a list that fails with 500', failing('list', statusError(500, 'InternalError', 'etcd'))],
  ['a list whose connection breaks', failing('list', connectionError('ECONNRESET'))],
  ['a list that cannot be decoded', failing('list', new DecodeError('no JSON', 7))],
  ['a watch that is refused with 403', failing('watch', statusError(403, 'Forbidden', 'no'))],
  ['a watch that is refused with 429', failing('watch', statusError(429, 'TooManyRequests', 'busy', 3000))],
  ['a watch that cannot be decoded', failing('watch', new DecodeError('no JSON', 7))],
  [
    'requests that are never answered',
    (server) => {
      server.hangNext('list');
      server.hangNext('watch');
    },
    (server) => {
      server.hangNext('list');
    },
  ],
];
