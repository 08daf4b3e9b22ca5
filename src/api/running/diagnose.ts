import { checkOptions, rules } from '../options.js';
import type { Facts } from './facts.js';
import { registry, type Running } from './registry.js';
import type { Warning } from './warning.js';
import { type HeapLook, memoryWarnings, twinWarnings, warningsOf } from './warningRules.js';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** How far a cache without a working watch may be behind, in milliseconds. @defaultValue 60000 */
  readonly staleAfterMs?: number | undefined;
}

/** Calls closer together than this are not compared for growth. */
const apartMs = 5_000;
/** How many earlier observations of each thing, and of the heap, are kept. */
const keptLooks = 4;
const keptHeaps = 60;

/** Observes everything that runs, and remembers earlier observations. */
export class Doctor {
  private readonly looks = new WeakMap<Running, Facts[]>();
  private readonly heaps: HeapLook[] = [];
  private readonly heapBytes: () => number | undefined;

  constructor(heapBytes: () => number | undefined) {
    this.heapBytes = heapBytes;
  }

  look(running: readonly Running[], staleAfterMs: number): Warning[] {
    const all: Facts[] = [];
    const warnings: Warning[] = [];
    for (const each of running) {
      const now = each.facts();
      const earlier = this.looks.get(each) ?? [];
      all.push(now);
      warnings.push(
        ...warningsOf(
          now,
          earlier.filter(({ at }) => now.at - at >= apartMs),
          staleAfterMs,
        ),
      );
      this.remember(each, earlier, now);
    }
    this.weigh(all);
    return [...warnings, ...twinWarnings(all), ...memoryWarnings(this.heaps)];
  }

  private remember(running: Running, earlier: Facts[], now: Facts): void {
    const last = earlier.at(-1);
    if (last !== undefined && now.at - last.at < apartMs) return;
    earlier.push(now);
    if (earlier.length > keptLooks) earlier.shift();
    this.looks.set(running, earlier);
  }

  private weigh(all: readonly Facts[]): void {
    const bytes = this.heapBytes();
    const at = Math.max(...all.map((facts) => facts.at));
    const last = this.heaps.at(-1);
    if (bytes === undefined || all.length === 0 || (last !== undefined && at - last.at < apartMs)) return;
    const objects = all.reduce((sum, facts) => sum + ('objects' in facts ? facts.objects : 0), 0);
    this.heaps.push({ at, bytes, objects });
    if (this.heaps.length > keptHeaps) this.heaps.shift();
  }
}

/** The heap in use, if the runtime reports it. */
function heapUsed(): number | undefined {
  const { process } = globalThis as { readonly process?: { memoryUsage?(): { readonly heapUsed: number } } };
  return process?.memoryUsage?.().heapUsed;
}

/**
 * Checks everything that this library runs in the process, and returns warnings with their cause, a remedy, and a page with more about them.
 *
 * It only reads counters that are kept in any case, and starts nothing. Problems that show only over time, such as a subscriber that
 * falls further behind, or growing memory, are found from the second call on, at least 5 s after the first. A manager checks every 30 s.
 *
 * @example
 * ```ts
 * import { diagnose } from 'rx-informer';
 *
 * for (const { message, remedy, link } of diagnose()) console.warn(`${message} ${remedy} See ${link}.`);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function diagnose(options: DiagnoseOptions = {}): readonly Warning[] {
  checkOptions('diagnose', options, { staleAfterMs: rules.durationMs });
  const all = registry();
  all.looks ??= new Doctor(heapUsed);
  return (all.looks as Doctor).look(all.all(), options.staleAfterMs ?? 60_000);
}
