import { firstWhere } from '../../api/firstWhere.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';

/**
 * One write to a fake server. `previous` is the object before it, `object` the object after it; for a deletion, the last state with the
 * version of the deletion.
 *
 * @internal
 */
export interface FakeChange<T> {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly object: T;
  readonly previous: T | undefined;
  /** Whether watches miss it. */
  readonly lost: boolean;
}

/**
 * The objects of a fake server, with a counter of versions and a log of changes since the oldest kept version.
 *
 * @internal
 */
export class FakeHistory<T extends KubernetesObject> {
  version: number;
  /** The oldest version that can be listed. */
  oldest: number;
  /** The oldest version that can be watched. */
  cached: number;
  /** Oldest first. */
  readonly log: FakeChange<T>[] = [];
  private objects = new Map<string, T>();

  constructor(version: number) {
    this.version = version;
    this.oldest = version;
    this.cached = version;
  }

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  write(change: Omit<FakeChange<T>, 'version'>): void {
    this.version += 1;
    this.log.push({ ...change, version: this.version });
    if (change.type === 'DELETED') this.objects.delete(change.key);
    else this.objects.set(change.key, change.object);
  }

  /** The objects at a version that is still in the log, in the order of their keys. */
  at(version: number): [string, T][] {
    const objects = version >= this.version ? this.objects : this.before(version);
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The index in the log of the first change after a version. */
  positionAfter(version: number): number {
    return firstWhere(this.log.length, (index) => (this.log[index]?.version ?? Infinity) > version);
  }

  /** Goes back to the state at a version, including the counter; the history is lost. */
  restore(version: number): void {
    this.objects = new Map(this.at(version));
    this.log.length = 0;
    this.version = version;
    this.oldest = version;
    this.cached = version;
  }

  private before(version: number): Map<string, T> {
    const objects = new Map(this.objects);
    for (let at = this.log.length - 1; at >= 0; at -= 1) {
      const change = this.log[at];
      if (change === undefined || change.version <= version) break;
      if (change.previous === undefined) objects.delete(change.key);
      else objects.set(change.key, change.previous);
    }
    return objects;
  }
}
