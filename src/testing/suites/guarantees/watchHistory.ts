import { type KubernetesObject, metaNamespaceKey } from '../../../api/kubernetesObject.js';

/** One write that a server has carried out. For a deletion, `object` is the deleted object, and `resourceVersion` the version of the deletion. */
export interface HistoryWrite {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resourceVersion: string;
  readonly object: KubernetesObject;
}

/** The event that a watch of some objects must emit for one write. */
export interface ExpectedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly version: number;
  /** The object as written; for DELETED, the last selected state. */
  readonly object: KubernetesObject;
  /** The state before the write, if it was selected. */
  readonly previous: KubernetesObject | undefined;
}

/** Whether a request selects an object. */
export type Selects = (object: KubernetesObject) => boolean;

interface Step {
  readonly key: string;
  readonly version: number;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
}

/** A resourceVersion as a number; NaN if it is not one. */
export function versionOf(object: KubernetesObject | undefined): number {
  return Number(object?.metadata?.resourceVersion ?? NaN);
}

/** All writes of one kind of objects, in the order of resourceVersions: the reference for watches and lists. */
export class WatchHistory {
  private readonly steps: readonly Step[];

  /**
   * @throws Error for two writes with one resourceVersion, for ADDED of an existing object, and for MODIFIED or DELETED of a missing one.
   */
  constructor(writes: readonly HistoryWrite[]) {
    const objects = new Map<string, KubernetesObject>();
    const steps: Step[] = [];
    const ordered = [...writes].sort((a, b) => Number(a.resourceVersion) - Number(b.resourceVersion));
    for (const { type, resourceVersion, object } of ordered) {
      const key = metaNamespaceKey(object);
      const version = Number(resourceVersion);
      const before = objects.get(key);
      const last = steps.at(-1);
      if (last?.version === version)
        throw new Error(`Expected one write per resourceVersion, got ${last.key} and ${key} at ${resourceVersion}`);
      if ((type === 'ADDED') !== (before === undefined)) {
        throw new Error(`Expected ${before === undefined ? 'ADDED' : 'MODIFIED or DELETED'} of ${key} at ${resourceVersion}, got ${type}`);
      }
      const after = type === 'DELETED' ? undefined : object;
      if (after === undefined) objects.delete(key);
      else objects.set(key, after);
      steps.push({ key, version, before, after });
    }
    this.steps = steps;
  }

  /** The newest resourceVersion; 0 before the first write. @internal */
  get newest(): number {
    return this.steps.at(-1)?.version ?? 0;
  }

  /** The selected objects as they were at a version, by key. @internal */
  stateAt(version: number, selects: Selects): ReadonlyMap<string, KubernetesObject> {
    const objects = new Map<string, KubernetesObject>();
    for (const { key, version: at, after } of this.steps) {
      if (at > version) break;
      if (after !== undefined && selects(after)) objects.set(key, after);
      else objects.delete(key);
    }
    return objects;
  }

  /** The events that a watch of the selected objects must emit for writes after a version. @internal */
  eventsAfter(version: number, selects: Selects): readonly ExpectedEvent[] {
    return this.steps
      .filter((step) => step.version > version)
      .flatMap(({ key, version: at, before, after }): readonly ExpectedEvent[] => {
        const was = before !== undefined && selects(before) ? before : undefined;
        const is = after !== undefined && selects(after) ? after : undefined;
        if (is !== undefined) return [{ type: was === undefined ? 'ADDED' : 'MODIFIED', key, version: at, object: is, previous: was }];
        return was === undefined ? [] : [{ type: 'DELETED', key, version: at, object: was, previous: was }];
      });
  }
}
