import { checkOptions, rules } from '../options.js';
import type { Facts } from './facts.js';
import { registry, type Running } from './registry.js';
import type { Warning } from './warning.js';
import { type HeapLook, memoryWarnings, twinWarnings, warningsOf } from './warningRules.js';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** How far a cache without a working watch may be behind, in milliseconds. Default 60,000. */
  readonly staleAfterMs?: number | undefined;
}

/** Looks closer together than this say nothing new about what grows. */
const apartMs = 5_000;
/** How many of the last looks are kept of each thing, and of the heap. */
const keptLooks = 4;
const keptHeaps = 60;

/** Looks at what runs, and remembers what it saw. */
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

/** The heap in use, where the runtime says it. */
function heapUsed(): number | undefined {
  const { process } = globalThis as { readonly process?: { memoryUsage?(): { readonly heapUsed: number } } };
  return process?.memoryUsage?.().heapUsed;
}

/**
 * Looks at all that this library runs in the process, and says what is wrong with it: each warning with its cause, a remedy, and the page that says more.
 *
 * Nothing is measured for it beyond counters that are kept anyway, and it starts nothing. What can be seen only by comparing with an earlier look, a subscriber that
 * falls further behind, or memory that grows, shows from the second call on that comes 5 s after the first. A manager looks every 30 s by itself.
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
