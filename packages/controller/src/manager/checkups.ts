import { interval, type Subscription } from 'rxjs';
import type { diagnose } from '@rx-informer/inspector';
import { longestTimerMs, messageOf, monotonicScheduler } from 'rx-informer/internal';
import { loadInspector } from '../metrics/loadInspector.js';
import type { ManagerSettings } from './managerOptions.js';
import type { ManagerWarning } from './probeServer.js';

/** Calls `diagnose` periodically, and logs each warning once. Without `@rx-informer/inspector` there are no warnings. */
export class Checkups {
  private readonly settings: ManagerSettings;
  private readonly known = new Set<string>();
  private diagnose: typeof diagnose | undefined;
  private loading: Promise<boolean> | undefined;
  private end: (() => void) | undefined;

  constructor(settings: ManagerSettings) {
    this.settings = settings;
  }

  /** Loads the inspector. Resolves to whether it is there; where it is missing, the log says what for. */
  load(): Promise<boolean> {
    this.loading ??= loadInspector('A manager that warns').then(
      (inspector) => {
        this.diagnose = inspector.diagnose;
        return true;
      },
      (error: unknown) => {
        this.settings.logger.info(`no warnings: ${messageOf(error)}`);
        return false;
      },
    );
    return this.loading;
  }

  start(): void {
    const { diagnosePeriodMs, scheduler, logger } = this.settings;
    if (diagnosePeriodMs === Infinity) return;
    const check = (): void => void this.check();
    if (scheduler === monotonicScheduler) {
      let timer: NodeJS.Timeout | undefined;
      const wait = (ms: number): void => {
        const part = Math.min(ms, longestTimerMs);
        const due = (): void => {
          wait(ms === part ? diagnosePeriodMs : ms - part);
          if (ms === part) check();
        };
        // The timer must not keep the process alive.
        // eslint-disable-next-line no-restricted-globals -- the timers of RxJS cannot be unreferenced
        timer = setTimeout(due, part).unref();
      };
      wait(diagnosePeriodMs);
      this.end = () => clearTimeout(timer);
    } else {
      const timer: Subscription = interval(diagnosePeriodMs, scheduler).subscribe({
        next: check,
        error: (error: unknown) => logger.error(String(error)),
      });
      this.end = () => timer.unsubscribe();
    }
  }

  /** Calls `diagnose` now. */
  check(): readonly ManagerWarning[] {
    const { staleAfterMs, logger } = this.settings;
    const found = this.diagnose?.({ staleAfterMs }) ?? [];
    for (const { code, subject, message, remedy, link } of found) {
      // The figures in the message change.
      const key = `${code} ${subject.kind} ${subject.name}`;
      if (this.known.has(key)) continue;
      this.known.add(key);
      logger.error(`warning: ${message} ${remedy} (${link})`);
    }
    return found;
  }

  stop(): void {
    this.end?.();
  }
}
