import type { Command, Option } from 'commander';
import { NEVER } from 'rxjs';
import { builtInResources } from 'rx-informer/internal';
import { type KubeClient, resources } from 'rx-informer';
import { type ConnectionFlags, withClient } from '../arguments/selection.js';
import { formatNames } from '../output/parseOutput.js';

/** The shells with a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** The scripts ask the program itself at each completion: it knows its commands, and asks the cluster for kinds, objects and namespaces. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_rx_informer() {
  local line word words=()
  COMPREPLY=()
  # Bash takes --option=value apart; = is no word.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do [[ $word == = ]] || words+=("$word"); done
  [[ \${COMP_WORDS[COMP_CWORD]} != = ]] || words+=('')
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _rx_informer rx-informer
`,
  zsh: `#compdef rx-informer
_rx_informer() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found%%$'\\t'*}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else [[ $PREFIX != --*=* ]] || compset -P '*='; _files; fi
}
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
compdef _rx_informer rx-informer
`,
  fish: `function __rx_informer
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -g __rx_informer_found ($before[1] complete -- $before[2..-1] "$current" 2>/dev/null)
  test -n "$__rx_informer_found"
end
complete -c rx-informer -n __rx_informer -f -a '$__rx_informer_found'
`,
};

/** The script that installs completion in a shell. */
export function completionScript(shell: (typeof shells)[number]): string {
  return scripts[shell];
}

/** The words of a command line, parsed like the program would. */
interface Typed {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean>>;
  /** The option whose value is being typed. */
  readonly option: Option | undefined;
}

const takesValue = (option: Option | undefined): option is Option => option !== undefined && (option.required || option.optional);

function typedOf(command: Command, words: readonly string[]): Typed {
  const positionals: string[] = [];
  const flags: Record<string, string | boolean> = {};
  let option: Option | undefined;
  for (const word of words) {
    if (option !== undefined) {
      flags[option.attributeName()] = word;
      option = undefined;
      continue;
    }
    const [name = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    const found = command.options.find(({ short, long }) => name === short || name === long);
    if (found === undefined) positionals.push(word);
    else if (takesValue(found) && value === undefined) option = found;
    else flags[found.attributeName()] = value ?? true;
  }
  return { command, positionals, flags, option };
}

/** The deadline for a completion. */
const timeoutMs = 2_000;
/** The maximum number of completions that are returned. */
const maxObjects = 500;

/** The cluster's answer; empty if it does not come in time. */
async function askCluster(flags: Typed['flags'], query: (client: KubeClient) => Promise<readonly string[]>): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => setTimeout(resolve, timeoutMs, []).unref());
  return Promise.race([withClient(flags as ConnectionFlags, NEVER, query), late]).catch(() => []);
}

async function namespaces(flags: Typed['flags']): Promise<readonly string[]> {
  return askCluster(flags, async (client) => {
    const { items } = await client.list(resources.core.v1.namespaces, { limit: maxObjects });
    return items.map(({ metadata }) => metadata?.name ?? '');
  });
}

/** The plurals of the cluster's resources, including custom ones; the built-in ones if it does not answer. */
async function kinds(flags: Typed['flags']): Promise<readonly string[]> {
  const found = await askCluster(flags, async (client) => (await client.discovery.resources()).map(({ plural }) => plural));
  return found.length > 0 ? found : builtInResources.map(({ plural }) => plural);
}

async function objects(kind: string, flags: Typed['flags']): Promise<readonly string[]> {
  return askCluster(flags, async (client) => {
    const resource = await client.discovery.find(kind);
    const { namespace, allNamespaces } = flags;
    const given = typeof namespace === 'string' && namespace !== '' ? namespace : await client.defaultNamespace();
    const where = !resource.namespaced || allNamespaces === true ? {} : { namespace: given };
    const { items } = await client.list(resource, { ...where, limit: maxObjects });
    return items.map(({ metadata }) => metadata?.name ?? '');
  });
}

function optionValues({ argChoices, long }: Option, flags: Typed['flags']): readonly string[] | Promise<readonly string[]> {
  if (argChoices !== undefined) return argChoices;
  if (long === '--output') return formatNames.map((format) => format.replace(/(?<==).*/, ''));
  return long === '--namespace' ? namespaces(flags) : [];
}

/** The values of an argument: a kind, another kind after a comma, an object of a kind, a pod, or the argument's own list. */
async function argumentValues({ command, positionals, flags }: Typed, current: string): Promise<readonly string[]> {
  const { registeredArguments: all } = command;
  const argument = all[positionals.length] ?? all.find(({ variadic }) => variadic);
  const [first = ''] = positionals;
  if (argument?.argChoices !== undefined) return argument.argChoices;
  const name = argument?.name();
  if (name !== 'kind' && name !== 'names' && name !== 'target') return [];
  const [, kind = ''] = /^([^/]+)\//.exec(current) ?? [];
  if (kind !== '') return (await objects(kind, flags)).map((object) => `${kind}/${object}`);
  if (name === 'target') return ['pods', ...(await objects('pods', flags))];
  if (positionals.length > 0 && !first.includes('/')) return objects(first, flags);
  const before = current.slice(0, current.lastIndexOf(',') + 1);
  return (await kinds(flags)).map((word) => `${before}${word}`);
}

/** The words that may be typed, each with a tab and its description if it has one. */
async function candidates(program: Command, words: readonly string[]): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const optionsOf = ({ options }: Command): readonly string[] => [
    ...options.map(({ long, description }) => `${long ?? ''}\t${description}`),
    '--help\tprint the usage',
  ];
  if (words.length < 2) return [...program.commands.map((one) => `${one.name()}\t${one.description()}`), ...optionsOf(program)];
  const command = program.commands.find((each) => each.name() === words[0]);
  if (command === undefined) return [];
  const [, option = '', value] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  if (value !== undefined) {
    const values = await candidates(program, [...words.slice(0, -1), option, value]);
    return values.map((word) => `${option}=${word}`);
  }
  const typed = typedOf(command, words.slice(1, -1));
  if (typed.option !== undefined) return optionValues(typed.option, typed.flags);
  return current.startsWith('-') ? optionsOf(command) : argumentValues(typed, current);
}

/** Whether a word is safe for a shell: names of objects are untrusted. */
const isSafe = (word: string): boolean => /^[\w./:@=,+-]+$/.test(word);

/**
 * The completions of the last word, one per line, each with a tab and its description. None where files
 * should be completed.
 */
export async function completionsOf(program: Command, words: readonly string[]): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const found = (await candidates(program, words)).filter((line) => {
    const [word = ''] = line.split('\t', 1);
    return word !== 'complete' && word.startsWith(current) && isSafe(word);
  });
  return [...new Set(found)].sort();
}
