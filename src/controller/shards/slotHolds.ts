import { type Observable, Subject, type Subscription } from 'rxjs';
import { slotCount } from '../../api/shards/hashSlot.js';
import type { KubeClient } from '../../client/kubeClient.js';
import type { Leadership } from '../leader/leadership.js';
import type { ShardSettings } from './shardOptions.js';
import { SlotHold } from './slotHold.js';

/** The slots on which a member may work. */
export class SlotHolds {
  /** Slots on which work may begin from now on: all of their keys are to be looked at. */
  readonly activated$: Observable<ReadonlySet<number>>;
  private readonly activations$ = new Subject<ReadonlySet<number>>();
  private readonly client: KubeClient;
  private readonly settings: Pick<ShardSettings, 'drainMs' | 'scheduler' | 'identity'>;
  private readonly onQuiet: () => void;
  private readonly holds = new Map<number, SlotHold>();
  private readonly begun = new Set<number>();
  private deadlines: Subscription[] = [];

  /** @param onQuiet - called when the work on a slot that is drained has ended. */
  constructor(client: KubeClient, settings: Pick<ShardSettings, 'drainMs' | 'scheduler' | 'identity'>, onQuiet: () => void) {
    this.client = client;
    this.settings = settings;
    this.onQuiet = onQuiet;
    this.activated$ = this.activations$.asObservable();
  }

  of(slot: number): SlotHold | undefined {
    return this.holds.get(slot);
  }

  /** Begins and ends holds as the record says: `tokenOf` has the tokens of the member's own slots. */
  follow(term: Leadership, tokenOf: (slot: number) => number | undefined): void {
    for (let slot = 0; slot < slotCount; slot += 1) {
      const token = tokenOf(slot);
      const hold = this.holds.get(slot);
      if (hold !== undefined && hold.token !== token) {
        hold.end(`Slot ${slot} has gone to another member`);
        this.holds.delete(slot);
      }
      if (token === undefined || hold?.token === token) continue;
      this.holds.set(slot, new SlotHold(slot, token, term, this.client, this.onQuiet));
      this.begun.add(slot);
    }
  }

  /** Tells of the slots that have come. */
  activate(): void {
    const slots = new Set([...this.begun].filter((slot) => this.holds.has(slot)));
    this.begun.clear();
    if (slots.size > 0) this.activations$.next(slots);
  }

  stateOf(slot: number): 'working' | 'draining' | 'quiet' {
    return this.holds.get(slot)?.state() ?? 'quiet';
  }

  /** Lets no new work begin on these slots, and ends what is under way after `drainMs`. */
  drain(slots: readonly number[]): void {
    const { drainMs, scheduler } = this.settings;
    const draining = slots.map((slot) => this.holds.get(slot)).filter((hold) => hold !== undefined);
    for (const hold of draining) hold.drain();
    if (draining.length === 0) return;
    if (draining.every((hold) => hold.state() === 'quiet')) {
      this.onQuiet();
      return;
    }
    this.deadlines = this.deadlines.filter(({ closed }) => !closed);
    const late = (): void => {
      for (const hold of draining) hold.end(`Its work took longer than ${drainMs} ms, and another member takes over`);
      this.onQuiet();
    };
    this.deadlines.push(scheduler.schedule(late, drainMs));
  }

  complete(): void {
    this.activations$.complete();
  }

  endAll(why: string): void {
    for (const hold of this.holds.values()) hold.end(why);
    this.holds.clear();
    this.begun.clear();
    for (const deadline of this.deadlines.splice(0)) deadline.unsubscribe();
  }
}
