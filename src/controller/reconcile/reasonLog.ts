import type { Trigger, TriggerReason } from './trigger.js';
import { entryOf } from '../../api/entryOf.js';

interface Entry {
  readonly since: number;
  readonly reasons: { -readonly [Field in keyof TriggerReason]: TriggerReason[Field] }[];
}

/** Collects why keys need work until the work begins. It never holds more per key than there are sources times causes. */
export class ReasonLog {
  private readonly entries = new Map<string, Entry>();

  note(source: string, { key, cause, objectKey }: Pick<Trigger, 'key' | 'cause' | 'objectKey'>, now: number): void {
    const { reasons } = entryOf(this.entries, key, (): Entry => ({ since: now, reasons: [] }));
    const same = reasons.find((reason) => reason.source === source && reason.cause === cause);
    if (same === undefined) {
      reasons.push({ source, cause, objectKey, count: 1 });
    } else {
      same.objectKey = objectKey;
      same.count += 1;
    }
  }

  take(key: string, now: number): { readonly reasons: readonly TriggerReason[]; readonly waitedMs: number } {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    return { reasons: entry?.reasons ?? [], waitedMs: entry === undefined ? 0 : now - entry.since };
  }
}
