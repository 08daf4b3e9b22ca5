import { checkDeltaFifoOptions } from '../delta/fifo/deltaFifoOptions.js';
import type { InformerOptions } from './informerOptions.js';
import { checkResyncPeriod } from './session/resyncClock.js';

function got(value: unknown): string {
  if (typeof value === 'object' || typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value;
}

function expectFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`Expected \`${name}\` to be a function, got ${got(value)}`);
}

function checkDeltaFifo<T, U>({ deltaFifo }: InformerOptions<T, U>): void {
  if (deltaFifo === undefined || typeof deltaFifo === 'boolean') return;
  if (typeof deltaFifo !== 'object' || (deltaFifo as unknown) === null) {
    throw new TypeError(`Expected \`deltaFifo\` to be a boolean or its options, got ${got(deltaFifo)}`);
  }
  checkDeltaFifoOptions(deltaFifo);
  expectFunction('prepare', deltaFifo.prepare);
}

/**
 * Checks what is the informer's own among its options; the source and the cache check theirs.
 *
 * @throws TypeError that names the option, what was expected and what came.
 */
export function checkInformerOptions<T, U>(options: InformerOptions<T, U>): void {
  const { name, idleGraceMs, freeze, logger } = options;
  checkResyncPeriod(options.resyncPeriodMs);
  checkDeltaFifo(options);
  expectFunction('transform', options.transform);
  expectFunction('onError', options.onError);
  expectFunction('trace', options.trace);
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new TypeError(`Expected \`name\` to be a non-empty string, got ${got(name)}`);
  }
  if (idleGraceMs !== undefined && !(typeof idleGraceMs === 'number' && idleGraceMs >= 0 && Number.isFinite(idleGraceMs))) {
    throw new TypeError(`Expected \`idleGraceMs\` to be a number of milliseconds >= 0, got ${String(idleGraceMs)}`);
  }
  if (freeze !== undefined && typeof freeze !== 'boolean') throw new TypeError(`Expected \`freeze\` to be a boolean, got ${got(freeze)}`);
  if (logger !== undefined && typeof (logger as { warn?: unknown } | null)?.warn !== 'function') {
    throw new TypeError(`Expected \`logger\` to have a function \`warn\`, got ${got(logger)}`);
  }
}
