import { refuse } from '../cliError.js';

/** A TCP port, 0 for any free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) refuse('a port from 0 to 65535', text);
  return port;
}
