import { checkOptions } from '../../api/options/checkOptions.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { ResourceInformerOptions } from '../informerOptions.js';
import { verificationRules } from './verifyOptions.js';
import { Verifier } from './verifier.js';

/**
 * What verifies the cache of an informer by itself, if its options ask for it.
 *
 * @throws TypeError when it cannot be verified.
 * @internal
 */
export function createVerifier<T, U>(resource: string, options: ResourceInformerOptions<T, U>): Verifier | undefined {
  const { verification, warmStart, transform, deltaFifo = false, shard, scheduler, random = Math.random } = options;
  if (verification === undefined && warmStart === undefined) return undefined;
  checkOptions('createInformer.verification', verification ?? {}, verificationRules);
  const refuse = (why: string): never => {
    throw new TypeError(`The informer of ${resource} cannot have a \`verification\`: ${why}`);
  };
  if (deltaFifo !== false) refuse('what waits in its DeltaFIFO is not in the cache yet');
  if (shard !== undefined) refuse('its server lists what is not of its shard, too');
  if (transform !== undefined && verification?.contents === true)
    refuse('the contents are those that its transform made; leave `contents` out');
  return new Verifier({
    resource,
    options: verification ?? {},
    isWarm: warmStart !== undefined,
    scheduler: schedulerOf(scheduler),
    random,
  });
}
