import { type Identity, isSameVersion, objectIdentity } from '../../api/kubernetesObject.js';
import type { StagedContent } from '../../cache/store/content.js';
import { type CachedObjects, failed } from './cachedObjects.js';
import type { IncomingList } from './scopes.js';

/** A list of objects that is being received: its values are made, and filed in the indexes, as they arrive. */
export class Listing<T, U> implements IncomingList<T> {
  readonly previousResourceVersion: string;
  /** `failed` for an object none of whose versions could be transformed. */
  readonly values: Map<string, U | typeof failed> = new Map<string, U | typeof failed>();
  /** The keys whose last version could not be transformed. */
  readonly failing: Set<string> = new Set<string>();
  /** Objects as sent whose version is already cached. They are transformed only if the list turns out to be older than the cache. */
  readonly untransformed: Map<string, T> = new Map<string, T>();
  /** Invisible until the list is complete. */
  readonly staged: StagedContent<U>;
  /** Whether the source has given keys: then equal versions may have different contents, as in a view whose values contain an object's metadata. */
  isKeyed = false;
  private readonly objects: CachedObjects<T, U>;
  /** The identities as sent. Recorded only with a transform; otherwise each value has its own. */
  private readonly sent = new Map<string, Identity>();

  constructor(objects: CachedObjects<T, U>, whole: boolean, previousResourceVersion: string) {
    this.objects = objects;
    this.previousResourceVersion = previousResourceVersion;
    this.staged = objects.content.stage(whole);
  }

  add(key: string, object: T, isKeyed: boolean): void {
    const { objects } = this;
    const before = objects.content.get(key);
    this.isKeyed ||= isKeyed;
    if (!isKeyed && before !== undefined && objects.transformed && isSameVersion(objects.identityOf(key, before), objectIdentity(object))) {
      this.untransformed.set(key, object);
      this.hold(key, before, objectIdentity(object));
      return;
    }
    this.untransformed.delete(key);
    this.transform(key, object, before);
  }

  remove(key: string): void {
    this.values.delete(key);
    this.failing.delete(key);
    this.untransformed.delete(key);
    this.sent.delete(key);
    this.staged.remove(key);
  }

  identityOf(key: string, value: U): Identity {
    return this.sent.get(key) ?? objectIdentity(value);
  }

  /** Transforms objects whose version is already cached: after a restore from a backup, one version may have two contents. */
  transformAll(): void {
    for (const [key, object] of this.untransformed) this.transform(key, object, this.objects.content.get(key));
    this.untransformed.clear();
  }

  private transform(key: string, object: T, before: U | undefined): void {
    // Read before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const value = this.objects.valueOf(key, object, before);
    if (value === failed) {
      this.failing.add(key);
      if (!this.values.has(key)) this.values.set(key, failed);
    } else this.hold(key, value, identity);
  }

  private hold(key: string, value: U, identity: Identity): void {
    this.failing.delete(key);
    this.values.set(key, value);
    if (this.objects.transformed) this.sent.set(key, identity);
    this.staged.put(key, value);
  }
}
