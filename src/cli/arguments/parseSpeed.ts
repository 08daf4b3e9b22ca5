import { CliError, exitCodes } from '../cliError.js';

/**
 * How many times as fast a recording is to be shown: a number above 0, or `max`.
 */
export function parseSpeed(text: string): number {
  if (text === 'max') return Infinity;
  const speed = Number(text);
  if (text.trim() === '' || !(speed > 0) || !Number.isFinite(speed))
    throw new CliError(`expected a number above 0, or max, got ${JSON.stringify(text)}`, exitCodes.usage);
  return speed;
}
