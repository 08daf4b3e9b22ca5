import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { createReadYourWrites } from '../../cache/writes/createReadYourWrites.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';
import type { ReadYourWrites } from '../../cache/writes/readYourWrites.js';
import type { ClientWrite } from '../../client/kubeClient.js';
import { createObjectIntake, failed, type ObjectIntakeOptions } from '../../delta/index/objectIntake.js';
import { flattenChange } from '../../delta/share/flattenChange.js';
import type { InformerSource } from './informerSource.js';
import { namespaceOfKey } from '../../api/namespaceOfKey.js';

/** Keeps a view of a cache in which a client's own writes show, while its informer runs. */
export interface WritesView<U> {
  readonly reader: ReadYourWrites<U>;
  /** Follows what the source emits: a namespace that has been left keeps no writes. */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>>;
  /** Takes note that nothing waits before the cache: everything that the source has emitted is in it. Only for a cache behind a queue. */
  readonly caughtUp: () => void;
  /** Follows what becomes of it in the cache. The writes of a session go with it: nothing will catch up any more. */
  followChanges(): MonoTypeOperatorFunction<ResourceChange<U>>;
}

interface WritesViewOptions<T, U> extends Pick<ObjectIntakeOptions<T, U>, 'transform' | 'freeze'> {
  readonly source: InformerSource<T>;
  readonly indexer: Indexer<U>;
  readonly versionOf: (scope: string) => string;
  /** Whether what the source emits may wait before the cache. */
  readonly isQueued: boolean;
}

/** The versions of the scopes of a cache behind a queue. What the source has emitted is ahead of the cache while anything waits. */
class QueuedVersions {
  private readonly versionOf: (scope: string) => string;
  /** The scopes of which something has come since nothing waited. */
  private readonly ahead = new Set<string>();
  /** The versions when nothing waited. */
  private readonly versions = new Map<string, string>();

  constructor(versionOf: (scope: string) => string) {
    this.versionOf = versionOf;
  }

  come(scope: string): void {
    this.ahead.add(scope);
  }

  caughtUp(): void {
    for (const scope of this.ahead) this.versions.set(scope, this.versionOf(scope));
    this.ahead.clear();
  }

  /** The version up to which the cache is complete; `''` while that is not known. */
  reached(scope: string): string {
    return this.versions.get(scope) ?? '';
  }
}

/** Makes one; undefined for a source that knows no writes. */
export function createWritesView<T, U>(options: WritesViewOptions<T, U>): WritesView<U> | undefined {
  const { source, indexer, versionOf, isQueued, ...making } = options;
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

  const queued = isQueued && scopes !== undefined ? new QueuedVersions(versionOf) : undefined;

  /** The version up to which the cache is complete for a key. With several scopes, it is that of the key's own. */
  const reachedVersion = (key: string): string => {
    if (scopes === undefined) return indexer.lastStoreSyncResourceVersion();
    const scope = namespaceOfKey(key);
    return queued === undefined ? versionOf(scope) : queued.reached(scope);
  };

  const view = createReadYourWrites<U>(indexer, { project, reachedVersion });
  const noteWrite = (write: ClientWrite): void => {
    if (write.verb === 'delete') view.noteDelete(write);
    else if (write.object !== undefined) view.noteWrite(write.object);
  };

  const noting = { next: (event: ResourceEvent<U>): void => view.noteEvent(event) };

  return {
    reader: view,
    followSource: () =>
      tap((event) => {
        queued?.come(event.scope ?? '');
        if (event.type === 'ready' && scopes?.has(event.scope) === false) view.clear((key) => key.startsWith(`${event.scope}/`));
      }),
    caughtUp: () => queued?.caughtUp(),
    followChanges: () => (source) =>
      new Observable((subscriber) => {
        subscriber.add(ownWrites.write$.subscribe({ next: noteWrite, error: () => undefined }));
        subscriber.add(() => view.clear());
        subscriber.add(source.pipe(tap((change) => flattenChange(change, noting))).subscribe(subscriber));
      }),
  };
}
