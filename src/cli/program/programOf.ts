import { Argument, Command, Option } from 'commander';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDuration, parsePort, parseTargets } from '../arguments/argumentValues.js';
import { apiServerCommand, type ApiServerFlags } from '../commands/apiServerCommand.js';
import type { SelectionFlags } from '../arguments/selection.js';
import { recordCommand } from '../commands/recordCommand.js';
import { replayCommand, type ReplayFlags } from '../commands/replayCommand.js';
import { verifyCommand, type VerifyFlags } from '../commands/verifyCommand.js';
import { watchCommand, type WatchFlags } from '../commands/watchCommand.js';
import { demoCommand, type DemoFlags } from '../demo/demoCommand.js';
import type { Run } from '../terminal.js';
import { typesCommand, type TypesFlags } from '../types/typesCommand.js';
import { whyCommand, type WhyFlags } from '../why/whyCommand.js';
import { completionScript, shells } from './completionScript.js';
import { parseOutput } from '../output/parseOutput.js';
import { refuse } from '../cliError.js';

/** The `version` of the package.json in a folder, if that is this package's. */
function versionIn(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown; version?: unknown };
    return name === 'rx-informer' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The version of the package that a program file belongs to, `'unknown'` if it belongs to another one. */
function packageVersion(program: string): string {
  for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
    const version = versionIn(folder);
    if (version !== undefined) return version;
    if (folder === dirname(folder)) return 'unknown';
  }
}

/** How many times as fast a recording is to be shown: a number above 0, or `max`. */
function parseSpeed(text: string): number {
  if (text === 'max') return Infinity;
  const speed = Number(text);
  if (text.trim() === '' || !(speed > 0) || !Number.isFinite(speed)) refuse('a number above 0, or max', text);
  return speed;
}

const formats = 'table, wide, diff, json, yaml, name, events, jsonpath=TEMPLATE or custom-columns=HEADER:PATH,...';

function outputOption(): Option {
  return new Option('-o, --output <format>', `what to print: ${formats}`).argParser(parseOutput).default(parseOutput('table'), 'table');
}

function examplesOf(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  rx-informer ${line}\n`).join('')}`;
}

/** Adds a command with what it does and examples of it. */
function addCommand(program: Command, usage: string, description: string, ...examples: readonly string[]): Command {
  return program
    .command(usage)
    .description(description)
    .addHelpText('after', examplesOf(...examples));
}

function colourOption(): Option {
  return new Option('--color <when>', 'whether to colour; auto heeds NO_COLOR and FORCE_COLOR')
    .choices(['auto', 'always', 'never'])
    .default('auto');
}

/** Adds the options that say which server to talk to. */
function addConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file; otherwise $KUBECONFIG, ~/.kube/config or the cluster this runs in')
    .option('--context <name>', 'the context of the kubeconfig')
    .option('--server <url>', 'an API server that needs no credentials; no kubeconfig is read');
}

/** Adds the options that say which objects of which server are meant. */
function addSelectionOptions(command: Command): Command {
  return addConnectionOptions(command)
    .option('-n, --namespace <name>', "the namespace; otherwise the context's")
    .option('-A, --all-namespaces', 'all namespaces')
    .option('-l, --selector <selector>', 'a label selector, for example app=web,tier!=cache')
    .option('--field-selector <selector>', 'a field selector, for example status.phase=Running');
}

type Adder = (program: Command, run: Run) => void;

const addWatch: Adder = (program, run) => {
  const command = addCommand(
    program,
    'watch',
    'show objects as they change',
    'watch pods -A',
    'watch pods web',
    'watch deploy/web -o diff',
    'watch pods,services -o wide',
    `watch po -o 'jsonpath={.metadata.name}'`,
    `watch pods -o 'custom-columns=POD:.metadata.name,NODE:.spec.nodeName'`,
  )
    .argument('<kind>', 'a plural, kind or short name, several with commas between them, or kind/name')
    .argument('[names...]', 'the names of objects; otherwise all');
  addSelectionOptions(command)
    .addOption(outputOption())
    .addOption(colourOption())
    .action((kind: string, names: string[], flags: WatchFlags) => watchCommand(parseTargets(kind, names), flags, run));
};

/** A recording is written once and shown as often as wanted. */
const addRecordings: Adder = (program, run) => {
  const written = 'write what happens to the objects of a kind to a new file, or to the output (-), without the contents of Secrets';
  const record = addCommand(program, 'record <kind> <file>', written, 'record pods pods.ndjson -A', 'record pods - | head');
  addSelectionOptions(record).action((kind: string, file: string, flags: SelectionFlags) => recordCommand(kind, file, flags, run));
  const examples = ['replay pods.ndjson', 'replay pods.ndjson --speed 10 -o diff', 'replay pods.ndjson --speed max -o name'];
  addCommand(program, 'replay <file>', 'show a recording as it was', ...examples)
    .option('--speed <factor>', 'how many times as fast; max for all at once', parseSpeed, 1)
    .addOption(outputOption())
    .addOption(colourOption())
    .action((file: string, flags: ReplayFlags) => replayCommand(file, flags, run));
};

const addWhy: Adder = (program, { terminal }) => {
  const shown = 'show why objects are not ready: owners, conditions, events, and who changed them last';
  const command = addCommand(program, 'why', shown, 'why pod/web', 'why deploy web api -n shop')
    .argument('<kind>', 'a plural, kind or short name, or kind/name')
    .argument('[names...]', 'the names of objects')
    .option('-n, --namespace <name>', "the namespace; otherwise the context's");
  addConnectionOptions(command)
    .addOption(colourOption())
    .action((kind: string, names: string[], flags: WhyFlags) => whyCommand(parseTargets(kind, names), flags, terminal));
};

const addVerify: Adder = (program, run) => {
  const compared = 'follow the objects of a kind for a while, then compare the cache with the server';
  const command = addCommand(program, 'verify <kind>', compared, 'verify pods -A', 'verify deployments --after 5m --contents')
    .option('--after <time>', 'how long to follow them, for example 1m', parseDuration, 10_000)
    .option('--contents', 'compare whole objects, and not only their versions');
  addSelectionOptions(command)
    .addOption(colourOption())
    .action((kind: string, flags: VerifyFlags) => verifyCommand(kind, flags, run));
};

const addTypes: Adder = (program, { terminal }) => {
  const made = 'write TypeScript types and resources for the CustomResourceDefinitions of files (- is the input), or of the cluster';
  const ofCluster = 'types --crd certificates.cert-manager.io -o src/certificate.ts';
  const command = addCommand(program, 'types [files...]', made, 'types crd.yaml -o src/webSite.ts', ofCluster, 'types - < crds.yaml')
    .option('--crd <name...>', 'only these: by full name, plural or kind')
    .option('-o, --out <file>', 'write to this file, and not to the output');
  addConnectionOptions(command).action((files: string[], flags: TypesFlags) => typesCommand(files, flags, terminal));
};

const addDemo: Adder = (program, run) => {
  const seen = 'watch the pods of an API server of its own, break that server by the press of a key, and see that nothing gets lost';
  addCommand(program, 'demo', seen, 'demo', 'demo --duration 30s | cat')
    .option('--duration <time>', 'how long, for example 20s; on a terminal until q is pressed', parseDuration)
    .addOption(colourOption())
    .action((flags: DemoFlags) => demoCommand(flags, run));
};

const addApiServer: Adder = (program, run) => {
  addCommand(
    program,
    'api-server',
    'run the embedded API server on its own and print the path of a kubeconfig for it',
    'api-server --workload',
    'api-server --port 8080 --data cluster.ndjson --kubeconfig kubeconfig',
    'api-server --tls --token-file token',
  )
    .option('--port <number>', 'the port; a free one if 0', parsePort, 0)
    .option('--bind <address>', 'the address to listen on; any but the loopback addresses need a token', '127.0.0.1')
    .option('--allow-origin <origins...>', 'origins of web pages that may use the server')
    .option('--kubeconfig <file>', 'write the kubeconfig to this file, which stays')
    .option('--data <file>', 'keep the objects in this file, and continue from it')
    .option('--tls', 'serve HTTPS, with certificates made for this server')
    .option('--token <token>', 'require this bearer token')
    .addOption(new Option('--token-file <file>', 'require the bearer token in this file').conflicts('token'))
    .addOption(
      new Option('--schema <what>', 'whether built-in kinds are held to their definitions').choices(['full', 'none']).default('full'),
    )
    .option('--control', 'let other processes inject faults and read requests and writes, under the path /-/')
    .option('--workload', 'run stand-ins for the controllers, the scheduler and the kubelet, and a few deployments that change')
    .action((flags: ApiServerFlags) => apiServerCommand(flags, run));
};

const addCompletion: Adder = (program, { terminal }) => {
  program
    .command('completion')
    .description('print a script that makes a shell complete what you type')
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .addHelpText('after', `\nExamples:\n  source <(rx-informer completion bash)\n  rx-informer completion fish | source\n`)
    .action((shell: (typeof shells)[number]) => {
      terminal.stdout.write(completionScript(shell, program));
    });
};

/** The program with all its commands, which run until they are done or `end$` emits. */
export function programOf(run: Run): Command {
  const { terminal } = run;
  const program = new Command('rx-informer').description('Watches Kubernetes resources live, and brings an API server of its own.');
  program.version(packageVersion(process.argv[1] ?? '.'), '--version', 'print the version');
  program.addHelpText('after', examplesOf('demo', 'watch pods -A', 'why pod/web', 'types crd.yaml', 'watch --help'));
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    outputError: (text, write) => {
      write(text.replace(/^error: /, 'rx-informer: '));
    },
  });
  for (const add of [addWatch, addWhy, addVerify, addRecordings, addTypes, addDemo, addApiServer, addCompletion]) add(program, run);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}
