import type { Command } from 'commander';
import { builtInResources } from '../../api/builtInResources.js';

/** The shells that there is a completion for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

const flagsOf = (command: Command): string[] =>
  command.options.flatMap(({ short, long }) => [short, long]).filter((flag): flag is string => flag !== undefined);

/** The plurals of the built-in resources, in the order of the alphabet, for a command that takes kinds. */
function kindsOf(command: Command): string[] {
  if (command.registeredArguments[0]?.name() !== 'kind') return [];
  return [...new Set(builtInResources.map(({ plural }) => plural))].sort();
}

/** For bash, and for zsh with its emulation. */
function bashScript(program: Command): string {
  const name = program.name();
  const cases = program.commands.map(
    (command) => `    ${command.name()}) words='${[...flagsOf(command), '--help', ...kindsOf(command)].join(' ')}' ;;`,
  );
  return [
    '_rx_informer() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "    *) words='' ;;",
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words='${[...program.commands.map((command) => command.name()), '--help', '--version'].join(' ')}'; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    `complete -o default -F _rx_informer ${name}`,
    '',
  ].join('\n');
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function fishScript(program: Command): string {
  const begin = `complete -c ${program.name()}`;
  const lines = program.commands.flatMap((command) => {
    const within = `${begin} -n '__fish_seen_subcommand_from ${command.name()}'`;
    const options = command.options.map(({ short, long, description, required }) => {
      const names = [short && ` -s ${short.slice(1)}`, long && ` -l ${long.slice(2)}`].filter(Boolean).join('');
      return `${within}${names}${required ? ' -r' : ''} -d ${quoted(description)}`;
    });
    const kinds = kindsOf(command);
    return [
      `${begin} -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...options,
      ...(kinds.length > 0 ? [`${within} -f -a ${quoted(kinds.join(' '))}`] : []),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** The script that makes a shell complete the commands, options and built-in kinds of the program. */
export function completionScript(shell: (typeof shells)[number], program: Command): string {
  if (shell === 'fish') return fishScript(program);
  const script = bashScript(program);
  return shell === 'zsh' ? `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${script}` : script;
}
