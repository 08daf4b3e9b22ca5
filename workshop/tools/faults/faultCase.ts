import type { ClientOptions, ResourceInformerOptions, V1ConfigMap } from 'rx-informer';
import type { InformerErrorCode } from 'rx-informer/internal';
import type { OwnServer, Scene } from './scene.js';

/** What docs/reliability.md promises about a fault. */
export interface FaultPromise {
  readonly noticedMs: number;
  readonly consistentMs: number;
  /** The requests of one informer in its busiest minute. */
  readonly perMinute: number;
  /** What subscribers may miss. */
  readonly lost: 'nothing' | 'the states between' | 'that event';
}

/** A fault, and the promises for an informer with default options. */
export interface FaultCase {
  readonly id: string;
  readonly fault: string;
  /** Whether the case needs a server of its own. */
  readonly ownServer?: OwnServer;
  /** Runs in a process of its own, because the fault affects the whole process. */
  readonly ownProcess?: true;
  /** Options other than the defaults; shown in the table. */
  readonly options?: (scene: Scene) => ResourceInformerOptions<V1ConfigMap>;
  readonly client?: (scene: Scene) => ClientOptions;
  /** Called before the informer starts. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  /** Called once the informer watches. */
  readonly afterStart?: (scene: Scene) => Promise<unknown>;
  /** The informer starts only after the fault has begun. */
  readonly startsLate?: true;
  /** How long the fault lasts. @defaultValue 0: it happens once */
  readonly lastsMs?: number;
  /** Nobody can write during the fault. By default, objects are written every second. */
  readonly away?: true;
  readonly begin: (scene: Scene) => Promise<unknown> | void;
  readonly end?: (scene: Scene) => Promise<unknown> | void;
  /** The evidence that the informer noticed the fault: a list, or a failure with this code. @defaultValue any request or failure */
  readonly noticedBy?: 'list' | InformerErrorCode;
  readonly promise: FaultPromise;
  /** The spec that proves it in virtual time, and a part of its title. */
  readonly spec: { readonly file: string; readonly title: string };
}
