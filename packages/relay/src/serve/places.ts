import { Subscription } from 'rxjs';

/** The streams that are open or about to open: so many in all, and so many of each user. */
export class Places {
  private readonly limits: { readonly streams: number; readonly streamsPerUser: number };
  /** Called when the last stream of a user has ended. */
  private readonly left: (user: string) => void;
  private readonly byUser = new Map<string, number>();
  private taken = 0;

  constructor(limits: Places['limits'], left: (user: string) => void) {
    this.limits = limits;
    this.left = left;
  }

  /** Reserves a stream for a user until the subscription ends; undefined when there is none left. */
  take(user: string): Subscription | undefined {
    const mine = this.byUser.get(user) ?? 0;
    if (mine >= this.limits.streamsPerUser || this.taken >= this.limits.streams) return undefined;
    this.taken += 1;
    this.byUser.set(user, mine + 1);
    return new Subscription(() => {
      this.taken -= 1;
      const left = (this.byUser.get(user) ?? 1) - 1;
      if (left > 0) this.byUser.set(user, left);
      else this.byUser.delete(user);
      if (left === 0) this.left(user);
    });
  }
}
