import { brand } from '../../api/brand.js';
import { namespaceOfKey } from '../../api/namespaceOfKey.js';

/**
 * Stands for an object whose deletion was missed: its key, and its last known state if there is one.
 *
 * @see DeletedFinalStateUnknown of client-go
 */
export class DeletedFinalStateUnknown<T> {
  readonly key: string;
  readonly object: T | undefined;

  constructor(key: string, object?: T) {
    if (typeof key !== 'string') throw new TypeError(`Expected \`key\` to be a string, got ${typeof key}`);
    this.key = key;
    this.object = object;
  }

  /** What stands before the first slash of the key; `''` when there is none. */
  get namespace(): string {
    return namespaceOfKey(this.key);
  }

  /** What stands behind the first slash of the key. Unlike `splitMetaNamespaceKey`, it takes a key of any form. */
  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }
}

brand(DeletedFinalStateUnknown, 'DeletedFinalStateUnknown');
