import type { OutputStream, Terminal } from '../terminal.js';

/** When to colour: a value of `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/** Whether what is written to a stream is coloured: as `--color` says, else as NO_COLOR and FORCE_COLOR say, else on terminals that know colours. */
export function wantsColour({ env }: Pick<Terminal, 'env'>, stream: OutputStream, choice: ColourChoice = 'auto'): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM: term } = env;
  if (no !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stream.isTTY === true && term !== 'dumb';
}
