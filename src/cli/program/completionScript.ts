import type { Command } from 'commander';
import { resources } from '../../api/resources.js';

/** The plurals of the built-in resources, in the order of the alphabet. */
function kindNames(): string[] {
  const plurals = Object.values(resources)
    .flatMap((group) => Object.values(group as Readonly<Record<string, object>>))
    .flatMap((version) => Object.values<{ readonly plural: string }>(version as never).map(({ plural }) => plural));
  return [...new Set(plurals)].sort();
}

/** The shells that there is a completion for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

const flagsOf = (command: Command): string[] =>
  command.options.flatMap(({ short, long }) => [short, long]).filter((flag): flag is string => flag !== undefined);

/** For bash, and for zsh with its emulation. */
function bashScript(program: Command, kinds: readonly string[]): string {
  const name = program.name();
  const cases = program.commands.map((command) => {
    const takesKinds = command.registeredArguments[0]?.name() === 'kind';
    return `    ${command.name()}) words='${[...flagsOf(command), '--help', ...(takesKinds ? kinds : [])].join(' ')}' ;;`;
  });
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

function fishScript(program: Command, kinds: readonly string[]): string {
  const begin = `complete -c ${program.name()}`;
  const lines = program.commands.flatMap((command) => {
    const within = `${begin} -n '__fish_seen_subcommand_from ${command.name()}'`;
    const options = command.options.map(({ short, long, description, required }) => {
      const names = [short && ` -s ${short.slice(1)}`, long && ` -l ${long.slice(2)}`].filter(Boolean).join('');
      return `${within}${names}${required ? ' -r' : ''} -d ${quoted(description)}`;
    });
    const takesKinds = command.registeredArguments[0]?.name() === 'kind';
    return [
      `${begin} -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...options,
      ...(takesKinds ? [`${within} -f -a ${quoted(kinds.join(' '))}`] : []),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** The script that makes a shell complete the commands, options and built-in kinds of the program. */
export function completionScript(shell: (typeof shells)[number], program: Command): string {
  const kinds = kindNames();
  if (shell === 'fish') return fishScript(program, kinds);
  const script = bashScript(program, kinds);
  return shell === 'zsh' ? `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${script}` : script;
}
