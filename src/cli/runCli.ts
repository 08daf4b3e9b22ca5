import { Argument, Command, CommanderError, Option } from 'commander';
import { Observable, share } from 'rxjs';
import { resources } from '../api/resources.js';
import { apiServerCommand, type ApiServerFlags } from './commands/apiServerCommand.js';
import { CliError, exitCodes } from './cliError.js';
import { demoCommand, type DemoFlags } from './demo/demoCommand.js';
import { errorLine } from './output/errorLine.js';
import { parseDuration } from './arguments/parseDuration.js';
import { completionScript, shells } from './completionScript.js';
import { packageVersion } from './packageVersion.js';
import { parseOutput } from './output/parseOutput.js';
import { parsePort } from './arguments/parsePort.js';
import { parseTargets } from './arguments/parseTargets.js';
import { parseSpeed } from './arguments/parseSpeed.js';
import { recordCommand, type RecordFlags } from './commands/recordCommand.js';
import { replayCommand, type ReplayFlags } from './commands/replayCommand.js';
import type { Terminal } from './terminal.js';
import { watchCommand, type WatchFlags } from './commands/watchCommand.js';

/** Why the program ends before its work is done: the user asks for it, nobody reads its output any more, or that cannot be written. */
type End = 'interrupted' | 'unread' | Error;

/** Emits when the program has to end. */
function endOf(terminal: Terminal, note: (reason: End) => void): Observable<void> {
  return new Observable<void>((subscriber) => {
    terminal.stdout.on('error', (error) => {
      note((error as NodeJS.ErrnoException).code === 'EPIPE' ? 'unread' : error);
      subscriber.next();
    });
    return terminal.onInterrupt(() => {
      note('interrupted');
      subscriber.next();
    });
  }).pipe(share());
}

/** Output that cannot be written says so after the turn in which it was. */
const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function addConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file; otherwise $KUBECONFIG, ~/.kube/config or the cluster this runs in')
    .option('--context <name>', 'the context of the kubeconfig')
    .option('--server <url>', 'an API server that needs no credentials; no kubeconfig is read');
}

function addSelectionOptions(command: Command): Command {
  return addConnectionOptions(command)
    .option('-n, --namespace <name>', "the namespace; otherwise the context's")
    .option('-A, --all-namespaces', 'all namespaces')
    .option('-l, --selector <selector>', 'a label selector, for example app=web,tier!=cache')
    .option('--field-selector <selector>', 'a field selector, for example status.phase=Running');
}

function outputOption(): Option {
  const formats = 'table, wide, json, yaml, name, events, jsonpath=TEMPLATE or custom-columns=HEADER:PATH,...';
  return new Option('-o, --output <format>', `what to print: ${formats}`).argParser(parseOutput).default(parseOutput('table'), 'table');
}

const examplesOf = (...lines: readonly string[]): string => `\nExamples:\n${lines.map((line) => `  rx-informer ${line}\n`).join('')}`;

/** The plurals of the built-in resources. */
const kinds = (): string[] =>
  Object.values(resources)
    .flatMap((group) => Object.values(group as Readonly<Record<string, object>>))
    .flatMap((version) => Object.values<{ readonly plural: string }>(version as never).map(({ plural }) => plural))
    .filter((plural, at, all) => all.indexOf(plural) === at)
    .sort();

function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that makes a shell complete what you type')
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .addHelpText('after', `\nExamples:\n  source <(rx-informer completion bash)\n  rx-informer completion fish | source\n`)
    .action((shell: (typeof shells)[number]) => {
      terminal.stdout.write(completionScript(shell, program, kinds()));
    });
}

/** A recording is written once and shown as often as wanted. */
function addRecordings(program: Command, terminal: Terminal, end: Observable<void>): void {
  addSelectionOptions(
    program
      .command('record <kind> <file>')
      .description('write what happens to the objects of a kind to a new file, or to the output (-), without the contents of Secrets')
      .addHelpText('after', examplesOf('record pods pods.ndjson -A', 'record pods - | head')),
  ).action((kind: string, file: string, flags: RecordFlags) => recordCommand(kind, file, flags, terminal, end));
  program
    .command('replay <file>')
    .description('show a recording as it was')
    .option('--speed <factor>', 'how many times as fast; max for all at once', parseSpeed, 1)
    .addOption(outputOption())
    .action((file: string, flags: ReplayFlags) => replayCommand(file, flags, terminal, end));
}

function addApiServer(program: Command, terminal: Terminal, end: Observable<void>): void {
  program
    .command('api-server')
    .description('run the embedded API server on its own and print the path of a kubeconfig for it')
    .option('--port <number>', 'the port; a free one if 0', parsePort, 0)
    .option('--bind <address>', 'the address to listen on; any but the loopback addresses need a token', '127.0.0.1')
    .option('--allow-origin <origins...>', 'origins of web pages that may use the server')
    .option('--kubeconfig <file>', 'write the kubeconfig to this file, which stays')
    .option('--data <file>', 'keep the objects in this file, and continue from it')
    .option('--tls', 'speak HTTPS, with certificates made for this server')
    .option('--token <token>', 'ask for this bearer token')
    .addOption(new Option('--token-file <file>', 'ask for the bearer token in this file').conflicts('token'))
    .addOption(
      new Option('--schema <what>', 'whether built-in kinds are held to their definitions').choices(['full', 'none']).default('full'),
    )
    .option('--control', 'let other processes bring in faults and read what has happened, under the path /-/')
    .option('--workload', 'run stand-ins for the controllers, the scheduler and the kubelet, and a few deployments that change')
    .action((flags: ApiServerFlags) => apiServerCommand(flags, terminal, end));
}

function programOf(terminal: Terminal, end: Observable<void>): Command {
  const program = new Command('rx-informer').description('Watches Kubernetes resources live, and brings an API server of its own.');
  program.version(packageVersion(process.argv[1] ?? '.'), '--version', 'print the version');
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    outputError: (text, write) => {
      write(text.replace(/^error: /, 'rx-informer: '));
    },
  });
  addSelectionOptions(
    program
      .command('watch')
      .argument('<kind>', 'a plural, kind or short name, several with commas between them, or kind/name')
      .argument('[names...]', 'the names of objects; otherwise all')
      .description('show objects as they change')
      .addHelpText(
        'after',
        examplesOf(
          'watch pods -A',
          'watch pods web',
          'watch deploy/web',
          'watch pods,services -o wide',
          `watch po -o 'jsonpath={.metadata.name}'`,
        ),
      ),
  )
    .addOption(outputOption())
    .action((kind: string, names: string[], flags: WatchFlags) => watchCommand(parseTargets(kind, names), flags, terminal, end));
  addRecordings(program, terminal, end);
  program
    .command('demo')
    .description('start an API server with a living workload in another process, and watch its pods')
    .option('--duration <time>', 'how long, for example 20s; on a terminal until Ctrl-C', parseDuration)
    .action((flags: DemoFlags) => demoCommand(flags, terminal, end));
  addApiServer(program, terminal, end);
  addCompletion(program, terminal);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  terminal.stderr.write(`rx-informer: ${errorLine(error)}\n`);
  return error instanceof CliError ? error.exitCode : exitCodes.failed;
}

/**
 * Runs the command line and returns its exit code: 0 done, 1 failed, 2 wrong usage, 130 ended by Ctrl-C.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let ended: End | undefined;
  const end = endOf(terminal, (reason) => {
    ended ??= reason;
  });
  const subscription = end.subscribe();
  try {
    const exitCode = await programOf(terminal, end)
      .parseAsync([...args], { from: 'user' })
      .then(
        () => exitCodes.done,
        (error: unknown) => exitCodeOf(error, terminal),
      );
    await written();
    if (ended instanceof Error) {
      terminal.stderr.write(`rx-informer: the output cannot be written: ${errorLine(ended)}\n`);
      return exitCodes.failed;
    }
    return ended === 'interrupted' && exitCode === exitCodes.done ? exitCodes.interrupted : exitCode;
  } finally {
    subscription.unsubscribe();
  }
}
