import type { Observable, Subscription } from 'rxjs';
import type { ResourceEvent } from '../../src/api/events.js';

/** The content that a subscriber computes from all events. Throws for events that cannot follow from it. */
export class Fold<T> {
  readonly objects: Map<string, T> = new Map<string, T>();
  readonly complaints: string[] = [];
  synced = false;
  readonly subscription: Subscription;

  constructor(events: Observable<ResourceEvent<T>>, onEvent: () => void = () => undefined) {
    this.subscription = events.subscribe({
      next: (event) => {
        this.apply(event);
        onEvent();
      },
      error: (error: unknown) => this.complaints.push(`failed: ${String(error)}`),
    });
  }

  private apply(event: ResourceEvent<T>): void {
    if (event.type === 'synced') {
      this.synced = true;
      return;
    }
    const known = this.objects.get(event.key);
    if ((known === undefined) !== (event.type === 'added'))
      this.complaints.push(`${event.type} ${event.key} while ${known === undefined ? 'unknown' : 'known'}`);
    if (event.type === 'updated' && event.oldObject !== known)
      this.complaints.push(`updated ${event.key} from something else than was known`);
    if (event.type === 'deleted') this.objects.delete(event.key);
    else this.objects.set(event.key, event.object);
  }
}
