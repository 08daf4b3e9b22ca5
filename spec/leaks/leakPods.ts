import type { ResourceChange, SourceEvent } from '../../src/api/events.js';

const nodeReference = { apiVersion: 'v1', kind: 'Node', name: 'node', uid: 'u', controller: true };

/** The objects whose end is watched. */
export interface LeakPod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly (typeof nodeReference)[];
  };
  readonly spec: { readonly size: number };
}

/** Makes objects and forgets them: only a weak reference stays. */
export class LeakPods {
  readonly references: WeakRef<object>[] = [];
  private version = 0;

  /** A life from beginning to end, under a name that never comes again: as changes. */
  changesOf(name: string): readonly ResourceChange<LeakPod>[] {
    const [first, second] = [this.pod(name, 1), this.pod(name, 2)];
    const key = `one/${name}`;
    const about = { cause: 'watch' as const, scope: '', previousResourceVersion: '0', synced: true };
    return [
      {
        ...about,
        resourceVersion: first.metadata.resourceVersion,
        events: [{ type: 'added', key, object: first, initial: false, inferred: false }],
      },
      {
        ...about,
        resourceVersion: second.metadata.resourceVersion,
        events: [{ type: 'updated', key, object: second, oldObject: first, resync: false, inferred: false }],
      },
      {
        ...about,
        resourceVersion: second.metadata.resourceVersion,
        events: [{ type: 'deleted', key, object: second, finalStateUnknown: false, inferred: false }],
      },
    ];
  }

  /** The same as events of a source. */
  sourceOf(name: string): readonly SourceEvent<LeakPod>[] {
    const types = ['added', 'modified', 'deleted'] as const;
    return types.map((type, at) => {
      const object = this.pod(name, at);
      return { type, scope: '', object, resourceVersion: object.metadata.resourceVersion };
    });
  }

  private pod(name: string, size: number): LeakPod {
    this.version += 1;
    const resourceVersion = String(this.version);
    const pod: LeakPod = {
      metadata: { namespace: 'one', name, uid: name, resourceVersion, labels: { app: 'web' }, ownerReferences: [nodeReference] },
      spec: { size },
    };
    this.references.push(new WeakRef(pod));
    return pod;
  }
}
