import { UnreadField, type UnreadFields } from '../../api/unreadFields.js';

/**
 * Points for the score. `read`: an unread field was read after all. `none`: an object had no field to leave unread. Each field left unread in an event adds
 * 1. Reading a field later takes a third longer than parsing it on arrival; leaving it unread saves nearly all of that time.
 */
const read = -4;
const none = -1;
/** From this score on, the fields of all objects are left unread. Below it, those of one event in `sampled`; below 0, of one in `rarely`. */
const enough = 4;
const sampled = 16;
const rarely = 64;
const maxScore = 64;
const minScore = -16;
/** How many objects are remembered, by namespace and name, with the fields of their last version. */
const maxObjects = 16_384;

/**
 * Decides for one type of object whether large fields are left unread, and remembers those that are, so that versions share equal ones.
 */
export class UnreadObjects {
  private score = 0;
  private passed = 0;
  private readonly latest = new Map<string, WeakRef<UnreadFields>>();
  private readonly onRead = (): void => this.count(read);

  /** Whether to leave the next object's fields unread. Objects of a list are never samples: none of them can have been read when the next one is decided. */
  isOfUse(isListed: boolean): boolean {
    if (this.score >= enough || isListed) return this.score >= enough;
    this.passed += 1;
    return this.passed % (this.score < 0 ? rarely : sampled) === 0;
  }

  /** An object had no field to leave unread. */
  pass(): void {
    this.count(none);
  }

  /** The fields of the next version of an object; equal ones are those of the version before. */
  fieldsOf(key: string, texts: ReadonlyMap<string, string>, isListed: boolean): UnreadFields {
    const before = this.latest.get(key)?.deref();
    const fields = new Map<string, UnreadField>();
    for (const [field, json] of texts) {
      const known = before?.get(field);
      fields.set(field, known?.json === json ? known : new UnreadField(json, this.onRead));
    }
    this.forget(key);
    this.latest.set(key, new WeakRef(fields));
    if (this.latest.size > maxObjects) {
      const [oldest = ''] = this.latest.keys();
      this.latest.delete(oldest);
    }
    if (!isListed) this.count(texts.size);
    return fields;
  }

  forget(key: string): void {
    this.latest.delete(key);
  }

  private count(points: number): void {
    this.score = Math.max(minScore, Math.min(maxScore, this.score + points));
  }
}
