import type { KubeClient } from '../../client/kubeClient.js';
import { boundClient } from '../leader/boundClient.js';
import { LeaderElectionError } from '../leader/leaderElectionError.js';
import type { Leadership } from '../leader/leadership.js';

/** One slot in the hands of a member, from when it got it to when it gives it away, and the work that is done meanwhile. */
export class SlotHold {
  readonly token: number;
  /** The client of the member, bound to this hold: its requests reject once the slot is not the member's any more. */
  readonly client: KubeClient;
  private readonly term: Leadership;
  private readonly aborter = new AbortController();
  readonly signal: AbortSignal = this.aborter.signal;
  private readonly onQuiet: () => void;
  private running = 0;
  private draining = false;

  /** @param onQuiet - called when the last work has ended after `drain`. */
  constructor(slot: number, token: number, term: Leadership, client: KubeClient, onQuiet: () => void) {
    this.token = token;
    this.term = term;
    this.onQuiet = onQuiet;
    const { signal } = this;
    const what = `Slot ${slot} is not ${term.identity}'s any more`;
    this.client = boundClient(client, () => ({ signal, isValid: () => this.isValid(), what }));
  }

  /** Whether the slot is the member's, by a monotonic clock. */
  isValid(): boolean {
    return !this.signal.aborted && this.term.isValid();
  }

  /** Begins work; false when there must be none. */
  enter(): boolean {
    if (this.draining || !this.isValid()) return false;
    this.running += 1;
    return true;
  }

  leave(): void {
    this.running -= 1;
    if (this.draining && this.running === 0) this.onQuiet();
  }

  drain(): void {
    this.draining = true;
  }

  /** Whether work may begin, is being ended, or has ended: none is done any more, or none that can do anything. */
  state(): 'working' | 'draining' | 'quiet' {
    if (!this.draining) return 'working';
    return this.running === 0 || this.signal.aborted ? 'quiet' : 'draining';
  }

  end(why: string): void {
    if (!this.signal.aborted) this.aborter.abort(new LeaderElectionError('ERR_LEADERSHIP_LOST', why));
  }
}
