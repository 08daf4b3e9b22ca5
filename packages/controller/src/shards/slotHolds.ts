import { type Observable, Subject, type Subscription } from 'rxjs';
import { slotCount } from 'rx-informer/internal';
import type { KubeClient } from 'rx-informer';
import { boundClient } from '../leader/boundClient.js';
import { LeaderElectionError } from '../leader/leaderElectionError.js';
import { Tenure } from '../leader/tenure.js';
import type { ShardSettings } from './shardOptions.js';

/** A slot that a member holds. */
export interface SlotHold {
  readonly token: number;
  readonly tenure: Tenure;
  /** The client of the member: its requests reject once the member has lost the slot. */
  readonly client: KubeClient;
}

function over(why: string): LeaderElectionError {
  return new LeaderElectionError('ERR_LEADERSHIP_LOST', why);
}

/** The slots that a member holds. */
export class SlotHolds {
  /** Emits added slots: all of their keys are to be reconciled. */
  readonly activated$: Observable<ReadonlySet<number>>;
  private readonly activations$ = new Subject<ReadonlySet<number>>();
  private readonly client: KubeClient;
  private readonly settings: Pick<ShardSettings, 'drainMs' | 'scheduler' | 'identity'>;
  private readonly onQuiet: () => void;
  private readonly holds = new Map<number, SlotHold>();
  private readonly begun = new Set<number>();
  private deadlines: Subscription[] = [];

  /** @param onQuiet - called when the work on a draining slot has ended. */
  constructor(client: KubeClient, settings: Pick<ShardSettings, 'drainMs' | 'scheduler' | 'identity'>, onQuiet: () => void) {
    this.client = client;
    this.settings = settings;
    this.onQuiet = onQuiet;
    this.activated$ = this.activations$.asObservable();
  }

  of(slot: number): SlotHold | undefined {
    return this.holds.get(slot);
  }

  /** Begins and ends holds to match the record: `tokenOf` returns the tokens of the member's own slots. */
  follow(term: Tenure, tokenOf: (slot: number) => number | undefined): void {
    for (let slot = 0; slot < slotCount; slot += 1) {
      const token = tokenOf(slot);
      const hold = this.holds.get(slot);
      if (hold !== undefined && hold.token !== token) {
        this.holds.delete(slot);
        hold.tenure.end(over(`Slot ${slot} has gone to another member`));
      }
      if (token === undefined || hold?.token === token) continue;
      this.holds.set(slot, this.holdOf(slot, token, term));
      this.begun.add(slot);
    }
  }

  private holdOf(slot: number, token: number, term: Tenure): SlotHold {
    const { identity, scheduler } = this.settings;
    const what = `Slot ${slot} is not ${identity}'s any more`;
    const onQuiet = (): void => {
      if (this.holds.get(slot)?.tenure === tenure) this.onQuiet();
    };
    const tenure = new Tenure({ what, now: () => scheduler.now(), within: term, onQuiet });
    return { token, tenure, client: boundClient(this.client, () => tenure) };
  }

  /** Emits the added slots. */
  activate(): void {
    const slots = new Set([...this.begun].filter((slot) => this.holds.has(slot)));
    this.begun.clear();
    if (slots.size > 0) this.activations$.next(slots);
  }

  /**
   * Whether work on a slot may begin, is ending, or has ended. Aborted work counts as ended, since its client sends nothing, except with
   * `entirely`.
   */
  stateOf(slot: number, entirely = false): 'working' | 'draining' | 'quiet' {
    const tenure = this.holds.get(slot)?.tenure;
    if (tenure === undefined) return 'quiet';
    return entirely && tenure.isBusy() && tenure.standing() === 'quiet' ? 'draining' : tenure.standing();
  }

  /** Whether any work is running, aborted or not. */
  isBusy(): boolean {
    return [...this.holds.values()].some(({ tenure }) => tenure.isBusy());
  }

  /** Allows no new work on these slots, and aborts running work after `drainMs`. */
  drain(slots: readonly number[]): void {
    const { drainMs, scheduler } = this.settings;
    const draining = slots.map((slot) => this.holds.get(slot)?.tenure).filter((tenure) => tenure !== undefined);
    // Closing a tenure without work reports it as quiet.
    for (const tenure of draining) tenure.close();
    const busy = draining.filter((tenure) => tenure.isBusy());
    if (busy.length === 0) return;
    this.deadlines = this.deadlines.filter(({ closed }) => !closed);
    const late = (): void => {
      for (const tenure of busy) tenure.end(over(`Its work took longer than ${drainMs} ms, and another member takes over`));
      this.onQuiet();
    };
    this.deadlines.push(scheduler.schedule(late, drainMs));
  }

  complete(): void {
    this.activations$.complete();
  }

  endAll(why: string): void {
    const holds = [...this.holds.values()];
    this.holds.clear();
    for (const { tenure } of holds) tenure.end(over(why));
    this.begun.clear();
    for (const deadline of this.deadlines.splice(0)) deadline.unsubscribe();
  }
}
