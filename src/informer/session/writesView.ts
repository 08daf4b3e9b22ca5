import { Subscription } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { createReadYourWrites } from '../../cache/writes/createReadYourWrites.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';
import type { ReadYourWrites } from '../../cache/writes/readYourWrites.js';
import type { ClientWrite } from '../../client/kubeClient.js';
import { createObjectIntake, failed, type ObjectIntakeOptions } from '../../delta/index/objectIntake.js';
import type { InformerSource } from './informerSource.js';

/**
 * Keeps a view of a cache in which a client's own writes show, while its informer runs.
 */
export interface WritesView<U> {
  readonly reader: ReadYourWrites<U>;
  /** A session begins. */
  begin(): void;
  /** Takes note of a change of the cache. */
  note(event: ResourceEvent<U>): void;
  /** A namespace has been left. */
  leave(namespace: string): void;
  /** The session is over: nothing will catch up any more. */
  end(): void;
}

/**
 * What it has to know of the informer.
 */
export interface WritesViewOptions<T, U> extends Pick<ObjectIntakeOptions<T, U>, 'transform' | 'keys' | 'freeze'> {
  readonly source: InformerSource<T>;
  readonly indexer: Indexer<U>;
  /** The version that the source has told of a scope. */
  readonly toldVersion: (scope: string) => string;
  /** Whether what the source has told may wait before the cache. */
  readonly isQueued: boolean;
}

/**
 * @returns undefined for a source that tells no writes.
 */
export function createWritesView<T, U>(options: WritesViewOptions<T, U>): WritesView<U> | undefined {
  const { source, indexer, toldVersion, isQueued, ...making } = options;
  const { ownWrites, scopes } = source;
  if (ownWrites === undefined) return undefined;
  const intake = createObjectIntake<T, U>(making);

  const project = (written: KubernetesObject): U | undefined => {
    const object = ownWrites.sourced(written);
    if (object === undefined) return undefined;
    const key = metaNamespaceKey(written);
    const value = intake.valueOf(key, object, indexer.getByKey(key));
    if (value === failed) throw new Error(`${key} cannot be transformed`);
    return value;
  };

  /** The version up to which the cache knows everything about a key. With several scopes, it is that of the key's own. */
  const reachedVersion = (key: string): string => {
    if (scopes === undefined) return indexer.lastStoreSyncResourceVersion();
    return isQueued ? '' : toldVersion(key.slice(0, Math.max(key.indexOf('/'), 0)));
  };

  const view = createReadYourWrites<U>(indexer, { project, reachedVersion });
  let session = new Subscription();

  const noteWrite = (write: ClientWrite): void => {
    if (write.verb === 'delete') view.noteDelete(write);
    else if (write.object !== undefined) view.noteWrite(write.object);
  };

  return {
    reader: view,
    begin: () => {
      session = ownWrites.write$.subscribe({ next: noteWrite, error: () => undefined });
    },
    note: (event) => view.noteEvent(event),
    leave: (namespace) => view.clear((key) => key.startsWith(`${namespace}/`)),
    end: () => {
      session.unsubscribe();
      view.clear();
    },
  };
}
