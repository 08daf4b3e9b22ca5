import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { boundClient } from '../leader/boundClient.js';
import { fence } from '../leader/fence.js';
import { LeaderElectionError } from '../leader/leaderElectionError.js';
import type { Leadership } from '../leader/leadership.js';

/** One slot in the hands of a member, from when it got it to when it gives it away, and the work that is done meanwhile. */
export class SlotHold {
  readonly token: number;
  /** The client of the member, bound to this hold: its requests reject once the slot is not the member's any more. */
  readonly client: KubeClient;
  private readonly term: Leadership;
  private readonly aborter = new AbortController();
  private readonly onQuiet: () => void;
  private running = 0;
  private draining = false;

  /** @param onQuiet - called when the last work has ended after `drain`. */
  constructor(slot: number, token: number, term: Leadership, client: KubeClient, onQuiet: () => void) {
    this.token = token;
    this.term = term;
    this.onQuiet = onQuiet;
    const { signal } = this.aborter;
    const what = `Slot ${slot} is not ${term.identity}'s any more`;
    this.client = boundClient(client, () => ({ signal, isValid: () => this.isValid(), what }));
  }

  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Whether the slot is the member's, by a monotonic clock. */
  isValid(): boolean {
    return !this.signal.aborted && this.term.isValid();
  }

  isDraining(): boolean {
    return this.draining;
  }

  /** Begins work; false when there must be none. */
  enter(): boolean {
    if (this.draining || !this.isValid()) return false;
    this.running += 1;
    return true;
  }

  /** Ends what `enter` has begun. */
  leave(): void {
    this.running -= 1;
    if (this.draining && this.running === 0) this.onQuiet();
  }

  /** Lets no new work begin. */
  drain(): void {
    this.draining = true;
  }

  /** Whether no work is done any more, or none that can do anything. */
  isQuiet(): boolean {
    return this.running === 0 || this.signal.aborted;
  }

  /** Ends all work at once. */
  end(why: string): void {
    if (!this.signal.aborted) this.aborter.abort(new LeaderElectionError('ERR_LEADERSHIP_LOST', why));
  }

  fence<T extends KubernetesObject>(object: T): T {
    return fence(object, this.token);
  }
}
