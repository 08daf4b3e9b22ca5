import { deltaCompressions } from './compressDeltas.js';
import { expectFunctionOption, expectOption } from '../expectOption.js';

/**
 * The options that both forms of the queue have.
 */
export interface QueueOptions {
  readonly keyFunc?: unknown;
  readonly knownObjects?: unknown;
  readonly compress?: unknown;
  readonly onError?: unknown;
}

function isKnownObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { listKeys, getByKey } = value as { listKeys?: unknown; getByKey?: unknown };
  return typeof listKeys === 'function' && typeof getByKey === 'function';
}

/**
 * @throws TypeError naming the option that is wrong.
 */
export function checkQueueOptions({ keyFunc, knownObjects, compress, onError }: QueueOptions): void {
  const isCompression = compress === undefined || deltaCompressions.some((mode) => mode === compress);
  expectFunctionOption('keyFunc', keyFunc);
  expectFunctionOption('onError', onError);
  expectOption(isCompression, 'compress', deltaCompressions.map((mode) => `'${mode}'`).join(' or '), compress);
  expectOption(
    knownObjects === undefined || isKnownObjects(knownObjects),
    'knownObjects',
    'an object with listKeys() and getByKey()',
    knownObjects,
  );
}
