import type { SchedulerLike } from 'rxjs';
import { monotonicScheduler, schedulerOf } from '../rx/schedulerOf.js';

/** A longer call blocks the program noticeably. */
const slowMs = 50;
/** How many calls after a slow one are measured by processor time. */
const probedCalls = 1_000;

interface Usage {
  readonly process?: { cpuUsage?(): { readonly user: number; readonly system: number } };
}

/** The processor time of this process in milliseconds, if the runtime reports it. */
function cpuMs(): number | undefined {
  const usage = (globalThis as Usage).process?.cpuUsage?.();
  return usage && (usage.user + usage.system) / 1_000;
}

/**
 * Counts calls that take longer than 50 ms of processor time. Wall-clock time alone would blame callbacks for a busy machine. Reading the processor time
 * takes longer than most calls, so it is read only for the next 1,000 calls after one that was slow by the clock.
 */
export class SlowCalls {
  slow = 0;
  slowestMs = 0;
  private readonly scheduler: SchedulerLike;
  private readonly isReal: boolean;
  private probes = 0;
  private cpuFrom: number | undefined;

  constructor(scheduler?: SchedulerLike) {
    this.scheduler = schedulerOf(scheduler);
    this.isReal = this.scheduler === monotonicScheduler;
  }

  begin(): number {
    this.cpuFrom = this.isReal && this.probes > 0 ? cpuMs() : undefined;
    return this.scheduler.now();
  }

  /** @param atLeastMs - raises the limit of 50 ms. */
  end(from: number, atLeastMs = 0): void {
    const tookMs = this.scheduler.now() - from;
    const before = this.cpuFrom;
    if (this.probes > 0) this.probes -= 1;
    if (tookMs <= slowMs || tookMs <= atLeastMs) return;
    this.probes = probedCalls;
    const cpu = this.isReal ? cpuMs() : undefined;
    // Where processor time is not available, the clock decides.
    if (cpu !== undefined && before === undefined) return;
    const spentMs = cpu === undefined || before === undefined ? tookMs : cpu - before;
    if (spentMs <= slowMs || spentMs <= atLeastMs) return;
    this.slow += 1;
    if (spentMs > this.slowestMs) this.slowestMs = spentMs;
  }
}
