import type { InformerErrorCode } from '../../src/api/errors/informerError.js';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import type { ClientOptions } from '../../src/client/clientOptions.js';
import type { ResourceInformerOptions } from '../../src/informer/informerOptions.js';
import type { Scene } from './scene.js';

/** What docs/reliability.md promises about a fault. */
export interface FaultPromise {
  readonly noticedMs: number;
  readonly consistentMs: number;
  /** Requests of one informer in its busiest minute. */
  readonly perMinute: number;
  /** What no subscriber need be told. */
  readonly lost: 'nothing' | 'the states between' | 'that event';
}

/** Something that goes wrong, and what an informer with its defaults promises about it. */
export interface FaultCase {
  readonly id: string;
  readonly fault: string;
  /** A server of its own, where the fault is about the whole server; `data`: one that keeps its objects on disk. */
  readonly ownServer?: 'memory' | 'data';
  /** Runs in a process of its own: the fault is about the whole process. */
  readonly ownProcess?: true;
  /** Beside the defaults; each shows in the table. */
  readonly options?: (scene: Scene) => ResourceInformerOptions<V1ConfigMap>;
  readonly client?: (scene: Scene) => ClientOptions;
  /** Before the informer starts. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  /** Once it watches. */
  readonly afterStart?: (scene: Scene) => Promise<unknown>;
  /** The informer starts only when it has gone wrong. */
  readonly startsLate?: true;
  /** For how long it goes wrong. Default 0: one time, which is over at once. */
  readonly lastsMs?: number;
  /** No one can write meanwhile. Otherwise somebody does, each second. */
  readonly away?: true;
  readonly begin: (scene: Scene) => Promise<unknown> | void;
  readonly end?: (scene: Scene) => Promise<unknown> | void;
  /** What shows that it was noticed: a list, or a failure of that code. Default: any request or failure. */
  readonly noticedBy?: 'list' | InformerErrorCode;
  readonly promise: FaultPromise;
  /** The spec that proves it in small, and a part of its title. */
  readonly spec: { readonly file: string; readonly title: string };
}
