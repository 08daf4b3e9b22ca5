import type { Observer } from 'rxjs';

/** A part of the library that runs during a soak, with users of it that stay and users that come and go. */
export interface Room {
  /** How often each of its users was told something. One that stays at 0 has shown nothing. */
  readonly told: Readonly<Record<string, number>>;
  /** Somebody comes and goes. What takes long goes on beside the writes. */
  pass(round: number): Promise<void> | void;
  leave(): Promise<void> | void;
}

/** Counts by name. */
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

  /** A subscriber of that name. A stream that fails ends the soak. */
  observer(name: string): Partial<Observer<unknown>> {
    return {
      next: this.note(name),
      error: (error: unknown) => {
        throw error;
      },
    };
  }
}

/** Work that goes on beside the writes, one piece at a time. */
export class Beside {
  private under: Promise<void> | undefined;

  /** Begins it, unless the last one has not ended. What it throws ends the soak. */
  begin(work: () => Promise<void>): void {
    this.under ??= work().then(() => (this.under = undefined));
  }

  async end(): Promise<void> {
    await this.under;
  }
}
