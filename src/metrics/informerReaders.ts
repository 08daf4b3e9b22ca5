import type { InformerReadings } from '../api/events/traceStep.js';

type Read = () => InformerReadings;

/** The readings of the informers that share a trace, taken together. @internal */
export class InformerReaders {
  private readonly readers = new Map<string, Read>();

  opened(name: string, read: Read): void {
    this.readers.set(name, read);
  }

  closed(name: string): void {
    this.readers.delete(name);
  }

  /** Objects and what waits added up, `synced` where all are, the version of the last; `undefined` when there is no informer. */
  read(): InformerReadings | undefined {
    let all: InformerReadings | undefined;
    for (const read of this.readers.values()) {
      const one = read();
      all = {
        objects: one.objects + (all?.objects ?? 0),
        synced: one.synced && (all?.synced ?? true),
        resourceVersion: one.resourceVersion,
        waiting: [...(all?.waiting ?? []), ...one.waiting],
      };
    }
    return all;
  }
}
