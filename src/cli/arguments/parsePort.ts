import { CliError, exitCodes } from '../cliError.js';

/**
 * A TCP port, 0 for any free one.
 */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new CliError(`expected a port from 0 to 65535, got ${JSON.stringify(text)}`, exitCodes.usage);
  return port;
}
