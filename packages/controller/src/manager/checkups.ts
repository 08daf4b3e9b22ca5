import { interval, type Subscription } from 'rxjs';
import { diagnose } from 'rx-informer';
import { monotonicScheduler, type Warning, warningKey } from 'rx-informer/internal';
import type { ManagerSettings } from './managerOptions.js';

/** Calls `diagnose` periodically, and logs each warning once. */
export class Checkups {
  private readonly settings: ManagerSettings;
  private readonly known = new Set<string>();
  private last: readonly Warning[] = [];
  private end: (() => void) | undefined;

  constructor(settings: ManagerSettings) {
    this.settings = settings;
  }

  start(): void {
    const { diagnosePeriodMs, scheduler, logger } = this.settings;
    if (diagnosePeriodMs === Infinity) return;
    const check = (): void => void this.check();
    if (scheduler === monotonicScheduler) {
      // The timer must not keep the process alive.
      // eslint-disable-next-line no-restricted-globals -- the timers of RxJS cannot be unreferenced
      const timer = setInterval(check, diagnosePeriodMs);
      timer.unref();
      this.end = () => clearInterval(timer);
    } else {
      const timer: Subscription = interval(diagnosePeriodMs, scheduler).subscribe({
        next: check,
        error: (error: unknown) => logger.error(String(error)),
      });
      this.end = () => timer.unsubscribe();
    }
  }

  /** Calls `diagnose` now. */
  check(): readonly Warning[] {
    const { staleAfterMs, logger } = this.settings;
    this.last = diagnose({ staleAfterMs });
    for (const warning of this.last) {
      const key = warningKey(warning);
      if (this.known.has(key)) continue;
      this.known.add(key);
      logger.error(`warning: ${warning.message} ${warning.remedy} (${warning.link})`);
    }
    return this.last;
  }

  stop(): void {
    this.end?.();
  }
}
