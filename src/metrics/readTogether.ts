import type { InformerReadings } from '../api/events/traceStep.js';

/**
 * The readings of the informers that share a trace, by their names: objects and what waits added up, `synced` where all are, the version of the last;
 * `undefined` when there is no informer. @internal
 */
export function readTogether(readers: ReadonlyMap<string, () => InformerReadings>): InformerReadings | undefined {
  const all = [...readers.values()].map((read) => read());
  const last = all.at(-1);
  if (last === undefined) return undefined;
  return {
    objects: all.reduce((sum, { objects }) => sum + objects, 0),
    synced: all.every(({ synced }) => synced),
    resourceVersion: last.resourceVersion,
    waiting: all.flatMap(({ waiting }) => waiting),
  };
}
