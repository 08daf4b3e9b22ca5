import { checkOptions } from '../../api/options/checkOptions.js';
import { rules } from '../../api/options/rules.js';
import { type DeltaFifo, type DeltaFifoStoreOptions, queueRules } from './deltaFifoStore.js';
import { ObjectDeltaFifo } from './objectDeltaFifo.js';

/**
 * Makes a DeltaFIFO: the queue between those who learn of changes and those who process them, one object at a time.
 *
 * It is the imperative form of `deltaFifo`, for programs that have no stream. Options have the meaning they have in client-go; the process of a
 * pop may be asynchronous, and producers do not wait for it.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createDeltaFifo, createIndexer, processDeltas } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer<KubernetesObject>();
 * const queue = createDeltaFifo<KubernetesObject>({ knownObjects: indexer });
 * queue.replace([{ metadata: { namespace: 'default', name: 'web' } }]);
 * queue.tryPop(processDeltas(indexer, { onAdd: (object) => console.log(object.metadata?.name) }));
 * ```
 *
 * @throws TypeError naming the option that is wrong.
 *
 * @see client-go: `NewDeltaFIFOWithOptions`
 */
export function createDeltaFifo<T>(options: DeltaFifoStoreOptions<T> = {}): DeltaFifo<T> {
  checkOptions('createDeltaFifo', options, { ...queueRules, transform: rules.function, emitDeltaTypeReplaced: rules.boolean });
  return new ObjectDeltaFifo(options);
}
