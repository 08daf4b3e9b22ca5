import type { Observer } from 'rxjs';

/** A part of the library that runs during a soak, with permanent and temporary users. */
export interface Room {
  /** The number of notifications of each user. A user that stays at 0 has tested nothing. */
  readonly told: Readonly<Record<string, number>>;
  /** A temporary user comes and goes. Slow work continues in parallel with the writes. */
  pass(round: number): Promise<void> | void;
  leave(): Promise<void> | void;
}

/** Counters by name. */
export class Told {
  readonly counts: Record<string, number> = {};

  constructor(...names: readonly string[]) {
    for (const name of names) this.counts[name] = 0;
  }

  readonly note =
    (name: string): (() => void) =>
    () => {
      this.counts[name] = (this.counts[name] ?? 0) + 1;
    };

  /** A subscriber with this name. An observable that fails ends the soak. */
  observer(name: string): Partial<Observer<unknown>> {
    return {
      next: this.note(name),
      error: (error: unknown) => {
        throw error;
      },
    };
  }
}

/** Work in parallel with the writes, one piece at a time. */
export class Beside {
  private under: Promise<void> | undefined;

  /** Starts work, unless the last one is still running. Its errors end the soak. */
  begin(work: () => Promise<void>): void {
    this.under ??= work().then(() => (this.under = undefined));
  }

  async end(): Promise<void> {
    await this.under;
  }
}
