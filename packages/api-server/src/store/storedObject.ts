import type { JsonObject } from '../json.js';

/** An owner reference as it is stored. */
export interface StoredOwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The metadata of a stored object. */
export interface StoredMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly StoredOwnerReference[];
}

/** An object in storage: without `kind` and `apiVersion`, which depend on the served version. */
export interface StoredContent extends JsonObject {
  readonly metadata: StoredMeta;
}

/** The part of the metadata that is kept parsed. */
export type ObjectHead = Pick<
  StoredMeta,
  'uid' | 'labels' | 'ownerReferences' | 'finalizers' | 'deletionTimestamp' | 'deletionGracePeriodSeconds'
>;

/** One version of one object. Immutable. */
export interface StoredObject {
  /** `namespace/name`, or the name alone of a cluster-scoped object: the order of lists. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: number;
  /** The metadata needed for selection and garbage collection. */
  readonly head: ObjectHead;
  /** The whole object. Parsed again when it has not been used for a while: the bytes alone take a quarter of the memory. */
  readonly content: StoredContent;
  /** The JSON of `content` without its opening brace, so that `kind` and `apiVersion` can be prepended; `metadata` is first. Serialized once. */
  readonly body: Buffer;
}

/** The key of an object. */
export function storageKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

interface Kept {
  readonly content: StoredContent;
  readonly size: number;
}

/** The most recently used contents, so that objects that are written repeatedly are not parsed each time. */
const recent: (Kept | undefined)[] = Array<Kept | undefined>(512).fill(undefined);
/** The limit in bytes of JSON; parsed, the objects take several times as much. */
const maxRecentBytes = 4 * 1024 * 1024;
let nextRecent = 0;
let recentBytes = 0;

function replaceRecent(at: number, kept: Kept | undefined): void {
  recentBytes += (kept?.size ?? 0) - (recent[at]?.size ?? 0);
  recent[at] = kept;
}

function keepForNow(content: StoredContent, size: number): WeakRef<StoredContent> {
  replaceRecent(nextRecent, { content, size });
  nextRecent = (nextRecent + 1) % recent.length;
  for (let oldest = nextRecent; recentBytes > maxRecentBytes; oldest = (oldest + 1) % recent.length) replaceRecent(oldest, undefined);
  return new WeakRef(content);
}

function headOf({ uid, labels, ownerReferences, finalizers, deletionTimestamp, deletionGracePeriodSeconds }: StoredMeta): ObjectHead {
  const head: { -readonly [Field in keyof ObjectHead]: ObjectHead[Field] } = { uid };
  if (labels !== undefined) head.labels = labels;
  if (ownerReferences !== undefined) head.ownerReferences = ownerReferences;
  if (finalizers !== undefined) head.finalizers = finalizers;
  if (deletionTimestamp !== undefined) head.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) head.deletionGracePeriodSeconds = deletionGracePeriodSeconds;
  return head;
}

const begin = '{"metadata":';

/** The JSON of an object without its opening brace: its metadata first, so that it can be cut out. */
function bodyOf(content: StoredContent): Buffer {
  const text = JSON.stringify(content);
  if (text.startsWith(begin)) return Buffer.from(text.slice(1));
  const { metadata, ...rest } = content;
  return Buffer.from(JSON.stringify({ metadata, ...rest }).slice(1));
}

class ObjectVersion implements StoredObject {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: number;
  readonly head: ObjectHead;
  readonly body: Buffer;
  private parsed: WeakRef<StoredContent>;

  constructor(content: StoredContent, resourceVersion: number) {
    const { namespace = '', name } = content.metadata;
    this.key = storageKey(namespace, name);
    this.namespace = namespace;
    this.name = name;
    this.resourceVersion = resourceVersion;
    this.head = headOf(content.metadata);
    this.body = bodyOf(content);
    this.parsed = keepForNow(content, this.body.length);
  }

  get content(): StoredContent {
    let content = this.parsed.deref();
    if (content === undefined) {
      content = JSON.parse(`{${this.body.toString()}`) as StoredContent;
      this.parsed = keepForNow(content, this.body.length);
    }
    return content;
  }
}

/** An object for an answer that was not stored in this form: its resourceVersion is that of its metadata, or none. */
export function shownObjectOf(content: StoredContent): StoredObject {
  const { resourceVersion } = content.metadata;
  const shown = resourceVersion === '' ? { ...content, metadata: { ...content.metadata, resourceVersion: undefined } } : content;
  return new ObjectVersion(shown as unknown as StoredContent, Number(resourceVersion));
}

/** The stored object that a write creates. */
export function storedObjectOf(content: StoredContent, resourceVersion: number): StoredObject {
  return new ObjectVersion({ ...content, metadata: { ...content.metadata, resourceVersion: String(resourceVersion) } }, resourceVersion);
}
