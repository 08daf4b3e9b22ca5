import { Option } from 'commander';

/**
 * The option that says when to colour.
 */
export function colourOption(): Option {
  return new Option('--color <when>', 'whether to colour; auto heeds NO_COLOR and FORCE_COLOR')
    .choices(['auto', 'always', 'never'])
    .default('auto');
}
