import { Argument, Command, Option } from 'commander';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDuration, parsePort, parseServer, parseTargets } from '../arguments/argumentValues.js';
import { apiServerCommand, type ApiServerFlags } from '../commands/apiServerCommand.js';
import type { SelectionFlags } from '../arguments/selection.js';
import { logsCommand, type LogsFlags } from '../commands/logsCommand.js';
import { rbacCommand, type RbacFlags } from '../commands/rbacCommand.js';
import { moods } from '../commands/runWorkload.js';
import { recordCommand } from '../commands/recordCommand.js';
import { replayCommand, type ReplayFlags } from '../commands/replayCommand.js';
import { verifyCommand, type VerifyFlags } from '../commands/verifyCommand.js';
import { watchCommand, type WatchFlags } from '../commands/watchCommand.js';
import { demoCommand, type DemoFlags } from '../demo/demoCommand.js';
import type { Run } from '../terminal.js';
import { typesCommand, type TypesFlags } from '../types/typesCommand.js';
import { whyCommand, type WhyFlags } from '../why/whyCommand.js';
import { completionScript, completionsOf, shells } from './completion.js';
import { inspected, type InspectFlags } from './inspected.js';
import { parseOutput } from '../output/parseOutput.js';
import { CliError, exitCodes, refuse } from '../cliError.js';

interface OwnPackage {
  readonly folder: string;
  readonly version: string;
}

/** The package of a program file; undefined if it belongs to another package. */
function packageOf(program: string): OwnPackage | undefined {
  for (let folder = dirname(realpathSync(program)); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown; version?: unknown };
      if (name === '@rx-informer/cli' && typeof version === 'string') return { folder, version };
    } catch {
      continue;
    }
  }
  return undefined;
}

/** The speed of a replay: a number above 0, or `max`. */
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

/** Adds a command with its description and examples. */
function addCommand(program: Command, usage: string, description: string, ...examples: readonly string[]): Command {
  return program
    .command(usage)
    .description(description)
    .addHelpText('after', examplesOf(...examples));
}

function colourOption(): Option {
  return new Option('--color <when>', 'whether to use colours; auto respects NO_COLOR and FORCE_COLOR')
    .choices(['auto', 'always', 'never'])
    .default('auto');
}

function inspectOption(): Option {
  return new Option('--inspect [port]', 'serve the page of the inspector on this machine, on this port or a free one').argParser(parsePort);
}

/** Adds the options for the server. */
function addConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file; otherwise $KUBECONFIG, ~/.kube/config or the cluster this runs in')
    .option('--context <name>', 'the context of the kubeconfig')
    .option('--server <url>', 'an API server that needs no credentials; no kubeconfig is read', parseServer);
}

/** Adds the options that select objects and the server. */
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
    .addOption(inspectOption())
    .action((kind: string, names: string[], flags: WatchFlags & InspectFlags) =>
      inspected('watch', flags, run, () => watchCommand(parseTargets(kind, names), flags, run)),
    );
};

/** Adds the commands `record` and `replay`. */
const addRecordings: Adder = (program, run) => {
  const written = 'record the events of the objects of a kind in a new file, or on standard output (-), without the contents of Secrets';
  const record = addCommand(program, 'record <kind> <file>', written, 'record pods pods.ndjson -A', 'record pods - | head');
  addSelectionOptions(record).action((kind: string, file: string, flags: SelectionFlags) => recordCommand(kind, file, flags, run));
  const examples = [
    'replay pods.ndjson',
    'replay pods.ndjson --speed 10 -o diff',
    'replay pods.ndjson --speed max -o name',
    'replay inspection.jsonl --inspect',
  ];
  addCommand(program, 'replay <file>', 'show a recording', ...examples)
    .option('--speed <factor>', 'the factor of the speed; max for all at once', parseSpeed, 1)
    .addOption(outputOption())
    .addOption(colourOption())
    .addOption(inspectOption())
    .action((file: string, flags: ReplayFlags & InspectFlags) => replayCommand(file, flags, run));
};

const addWhy: Adder = (program, run) => {
  const shown = 'show why objects are not ready: owners, conditions, events, and their last writers';
  const command = addCommand(program, 'why', shown, 'why pod/web', 'why deploy web api -n shop')
    .argument('<kind>', 'a plural, kind or short name, or kind/name')
    .argument('[names...]', 'the names of objects')
    .option('-n, --namespace <name>', "the namespace; otherwise the context's");
  addConnectionOptions(command)
    .addOption(colourOption())
    .action((kind: string, names: string[], flags: WhyFlags) => whyCommand(parseTargets(kind, names), flags, run));
};

/** A number of lines. */
function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) refuse('a number of lines', text);
  return Number(text);
}

const addLogs: Adder = (program, run) => {
  const shown = 'show the logs of a pod, or of all pods of a deployment or another object with a selector';
  const command = addCommand(
    program,
    'logs',
    shown,
    'logs web-0',
    'logs deploy/web -f',
    'logs pods -l app=web -f --since 5m',
    'logs pod/web-0 -c main --previous',
  )
    .argument('<target>', 'the name of a pod, kind/name of an object that selects pods, or pods')
    .option('-f, --follow', 'wait for further lines, also of new pods')
    .option('-c, --container <name>', 'only this container')
    .option('-p, --previous', 'the log before the last restart of the container')
    .option('--since <time>', 'only lines up to this age, for example 5m', parseDuration)
    .option('--tail <lines>', 'the number of last lines of each log to start with', parseCount)
    .option('--timestamps', 'show the time of each line');
  addSelectionOptions(command)
    .addOption(colourOption())
    .action((target: string, flags: LogsFlags) => logsCommand(parseTargets(target, []), flags, run));
};

const addVerify: Adder = (program, run) => {
  const compared = 'follow the objects of a kind for a while, then compare the cache with the server';
  const command = addCommand(program, 'verify <kind>', compared, 'verify pods -A', 'verify deployments --after 5m --contents')
    .option('--after <time>', 'how long to follow them, for example 1m', parseDuration, 10_000)
    .option('--contents', 'compare whole objects, not only their versions');
  addSelectionOptions(command)
    .addOption(colourOption())
    .action((kind: string, flags: VerifyFlags) => verifyCommand(kind, flags, run));
};

const addTypes: Adder = (program, run) => {
  const made = 'write TypeScript types and resources for the CustomResourceDefinitions in files (- is standard input), or of the cluster';
  const ofCluster = 'types --crd certificates.cert-manager.io -o src/certificate.ts';
  const command = addCommand(
    program,
    'types [files...]',
    made,
    'types crd.yaml -o src/webSite.ts',
    ofCluster,
    'types - < crds.yaml',
    'types --from dist/webSite.js',
  )
    .option('--from <module>', 'write YAML of the definitions, webhook configurations and other objects that a module exports')
    .option('--crd <name...>', 'only these: by full name, plural or kind')
    .option('-o, --out <file>', 'write to this file instead of standard output');
  addConnectionOptions(command).action((files: string[], flags: TypesFlags) => typesCommand(files, flags, run));
};

const addDemo: Adder = (program, run) => {
  const seen = 'watch the pods of an embedded API server, break that server by pressing keys, and see that no event is lost';
  addCommand(program, 'demo', seen, 'demo', 'demo --duration 30s | cat')
    .option('--duration <time>', 'how long, for example 20s; on a terminal until q is pressed', parseDuration)
    .addOption(colourOption())
    .addOption(inspectOption())
    .action((flags: DemoFlags & InspectFlags) => inspected('demo', flags, run, () => demoCommand(flags, run)));
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
    .option('--preload <files...>', 'create the definitions and objects of these manifests first, including their status')
    .option('--cors', 'let web pages of this machine read answers, on any port')
    .option('--allow-origin <origins...>', 'origins of web pages that may use the server')
    .option('--kubeconfig <file>', 'write the kubeconfig to this file, which is kept')
    .option('--data <file>', 'keep the objects in this file, and continue from it')
    .option('--tls', 'serve HTTPS, with certificates made for this server')
    .option('--token <token>', 'require this bearer token')
    .addOption(new Option('--token-file <file>', 'require the bearer token in this file').conflicts('token'))
    .addOption(new Option('--schema <what>', 'whether objects of built-in kinds are validated').choices(['full', 'none']).default('full'))
    .option('--runtime-config <entries>', 'which versions are served, as with kube-apiserver: api/all=true serves all')
    .option('--control', 'let other processes inject faults and read requests and writes, under the path /-/')
    .addOption(
      new Option(
        '--workload [mood]',
        'simulate the controllers, the scheduler and the kubelet; a lively one crashes at times, and runs deployments that change',
      )
        .choices([...moods])
        .preset('calm'),
    )
    .option(
      '--user <token=name,groups...>',
      'a user beside the administrator, with a bearer token of its own; can be repeated',
      (one: string, all: readonly string[]) => [...all, one],
      [] as readonly string[],
    )
    .addOption(new Option('--authorize <how>', 'what users may do: by default everything, with rbac by their roles').choices(['rbac']))
    .addOption(inspectOption())
    .action((flags: ApiServerFlags & InspectFlags) => inspected('api-server', flags, run, () => apiServerCommand(flags, run)));
};

const addCreate: Adder = (program, { terminal }) => {
  const made = 'scaffold an operator in a new folder: types, tests with faults, metrics, manifests';
  addCommand(program, 'create <folder>', made, 'create my-operator', 'create my-operator --rx-informer ./tarballs')
    .option('--rx-informer <version>', 'the version of rx-informer to depend on, or a folder with its tarballs; this version by default')
    .option('--template <name>', 'what runs the tests: node (by default), vitest or jest')
    .action(async (folder: string, options: { readonly rxInformer?: string; readonly template?: string }) => {
      const { createOperator, UsageError } = await import('create-rx-informer');
      try {
        terminal.stdout.write(createOperator(folder, options));
      } catch (error) {
        if (error instanceof UsageError) throw new CliError(error.message, exitCodes.usage);
        throw error;
      }
    });
};

const addRbac: Adder = (program, run) => {
  const written =
    'write the smallest Role or ClusterRole for the rights that a program used: a program run against an embedded server, or the clients of a server';
  const mine = 'rbac --preload crds.yaml --user-agent my-operator --check manifests.yaml -- npm test';
  addCommand(
    program,
    'rbac [command...]',
    written,
    'rbac -- go run ./cmd/operator',
    mine,
    'rbac --server http://127.0.0.1:8080 --role-name my-operator',
  )
    .option('--server <url>', 'an api-server with --control: the rights that its clients have used', parseServer)
    .option('--user-agent <text>', 'only clients whose user agent begins with this text')
    .option('--user <name>', 'only rights used by this user')
    .option('--namespaces <names...>', 'the namespaces that have Roles of their own; `any` for none, `used` for all', ['used'])
    .option('--names <resources...>', 'the resources whose objects are granted by name; `any` for none, `used` for all', ['used'])
    .option('--role-name <name>', 'the name of the roles', 'used')
    .option('--service-account <namespace/name>', 'bind the roles to it; with --check, only roles bound to it count')
    .option('--check <files...>', 'compare with these manifests, and fail if they grant less')
    .option('--exact', 'fail if they grant more as well')
    .option('--preload <files...>', 'create the objects of these manifests first, for example CustomResourceDefinitions')
    .option('--workload', 'simulate the controllers, the scheduler and the kubelet')
    .action((command: string[], flags: RbacFlags) => rbacCommand(command, flags, run));
};

const addCompletion: Adder = (program, { terminal }) => {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .addHelpText('after', `\nExamples:\n  source <(rx-informer completion bash)\n  rx-informer completion fish | source\n`)
    .action((shell: (typeof shells)[number]) => {
      terminal.stdout.write(completionScript(shell));
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      terminal.stdout.write((await completionsOf(program, words)).map((line) => `${line}\n`).join(''));
    });
};

/** The program with all its commands. They run until they are done, or until `end$` emits. */
export function programOf(run: Run): Command {
  const { terminal } = run;
  const program = new Command('rx-informer').description('Watches Kubernetes resources live, and includes an embedded API server.');
  program.version(packageOf(import.meta.filename)?.version ?? 'unknown', '--version', 'print the version');
  program.addHelpText('after', examplesOf('demo', 'watch pods -A', 'why pod/web', 'types crd.yaml', 'watch --help'));
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    outputError: (text, write) => {
      write(text.replace(/^error: /, 'rx-informer: ').replace(/\n(?=\()/, ' '));
    },
  });
  for (const add of [
    addWatch,
    addWhy,
    addLogs,
    addVerify,
    addRecordings,
    addTypes,
    addDemo,
    addApiServer,
    addRbac,
    addCreate,
    addCompletion,
  ])
    add(program, run);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}
