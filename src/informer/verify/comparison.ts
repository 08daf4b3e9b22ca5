import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { keyOfObjectName } from '../../cache/keys/objectName.js';
import { resourceVersionOf } from '../../cache/keys/resourceVersionOf.js';
import { isEqualJson } from '../../operators/folds/isEqualJson.js';
import type { DifferingObject, VerifiedObject } from './verification.js';

const versionOf = (object: unknown): string => resourceVersionOf(object) ?? '';

/**
 * Compares a picture of the cache with the objects of a list as they arrive. A cached value without a version is compared by its key alone.
 *
 * @internal
 */
export class Comparison {
  readonly missing: VerifiedObject[] = [];
  readonly differing: DifferingObject[] = [];
  count = 0;
  private readonly unseen: Map<string, unknown>;
  private readonly contents: boolean;

  /** @param cached - the picture; it is used up. */
  constructor(cached: Map<string, unknown>, contents: boolean) {
    this.unseen = cached;
    this.contents = contents;
  }

  listed(objects: readonly KubernetesObject[]): void {
    for (const object of objects) {
      const { namespace = '', name = '' } = object.metadata ?? {};
      this.compare(keyOfObjectName({ namespace, name }), object);
    }
  }

  /** What the list has not brought. */
  extra(): VerifiedObject[] {
    return [...this.unseen].map(([key, object]) => ({ key, resourceVersion: versionOf(object) }));
  }

  private compare(key: string, object: KubernetesObject): void {
    this.count += 1;
    const served = versionOf(object);
    if (!this.unseen.has(key)) {
      this.missing.push({ key, resourceVersion: served });
      return;
    }
    const value = this.unseen.get(key);
    this.unseen.delete(key);
    const cached = versionOf(value);
    const differs = (cached !== '' && cached !== served) || (this.contents && !isEqualJson(value, object));
    if (differs) this.differing.push({ key, cached, served });
  }
}
