import { InformerError } from '../../api/errors/informerError.js';
import type { InformerControl } from '../session/informerControl.js';
import type { SelectionKey } from './selectionKey.js';

/** The informers of a factory: one for each selection. */
export class InformerPool {
  private readonly informers = new Map<string, InformerControl>();
  private isShutDown = false;
  private resolveStopped!: (quiet: Promise<void>) => void;
  /** Resolves when all have been stopped and none of their callbacks runs any more. */
  readonly stopped: Promise<void> = new Promise((resolve) => {
    this.resolveStopped = resolve;
  });

  /**
   * The informer of a selection, made if there is none that runs.
   *
   * @throws InformerError `ERR_STOPPED` after `shutdown`, for one that was not made before.
   */
  get({ key, name }: SelectionKey, make: () => InformerControl): InformerControl {
    const known = this.informers.get(key);
    if (known !== undefined && (this.isShutDown || !known.isStopped())) return known;
    if (this.isShutDown) {
      throw new InformerError({
        code: 'ERR_STOPPED',
        message: `Cannot make an informer of ${name}: the factory has been shut down`,
        resource: name,
      });
    }
    const informer = make();
    this.informers.set(key, informer);
    return informer;
  }

  all(): InformerControl[] {
    return [...this.informers.values()];
  }

  /** Stops one informer and forgets it; does nothing with one that is not here. */
  async release(informer: InformerControl): Promise<void> {
    for (const [key, known] of this.informers) {
      if (known !== informer) continue;
      this.informers.delete(key);
      await informer.stop();
    }
  }

  /** Stops all for good. */
  async shutdown(): Promise<void> {
    this.isShutDown = true;
    const all = this.all();
    await Promise.all(all.map((informer) => informer.stop()));
    this.resolveStopped(Promise.all(all.map((informer) => informer.stopped)).then(() => undefined));
  }
}
