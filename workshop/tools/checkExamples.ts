// Checks the examples of README.md, docs/ and the comments of src/: compiles every block of `ts` and `tsx`, and parses every command `rx-informer ...` of the blocks of
// `sh` and of the program's own help.
//
// An example is a module of its own. It imports the package by its public names, as a user would. One that begins with its file's name,
// `// cards.ts`, can be imported by the others of its page.
import { CommanderError } from 'commander';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NEVER } from 'rxjs';
import ts from 'typescript';
import { programOf } from '../../packages/cli/src/program/programOf.js';
import { processTerminal } from '../../packages/cli/src/terminal.js';
import { entries } from './houses.js';
import { examples, type Example } from './guides/examplesOf.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
let failures = 0;

function fail(file: string, line: number, problem: string): void {
  failures += 1;
  console.error(`${file}:${String(line)} ${problem}`);
}

const pages = join(root, 'examples of ');

/** The file name of an example for the compiler: the examples of a page are in one folder, under their own names if they have any. */
function nameOf({ file, language, code }: Example, at: number): string {
  const [, name = `example-${String(at)}.${language}`] = /^\/\/ (\w[\w./]*\.tsx?)\n/.exec(code) ?? [];
  return join(`${pages}${basename(file)}`, name);
}

const compiled = examples.filter(({ language }) => language === 'ts' || language === 'tsx');
const byName = new Map(compiled.map((example, at) => [nameOf(example, at), example]));
if (byName.size < compiled.length) throw new Error('Two examples of one page have the same file name');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  paths: { ...Object.fromEntries(entries.map(({ name, source }) => [name, [source]])), '*': [join(root, 'workshop/node_modules/*')] },
  customConditions: ['@rx-informer/source'],
};

/** Where a file is read: beside the examples of a page are the files of the starter, which a page may change. */
function pathOf(name: string): string {
  return name.startsWith(pages) ? join(root, 'packages/create/template', name.slice(name.indexOf('/', pages.length) + 1)) : name;
}

const files = ts.createCompilerHost(options);
const host: ts.CompilerHost = {
  ...files,
  fileExists: (name) => byName.has(name) || files.fileExists(pathOf(name)),
  directoryExists: (name) => name.startsWith(pages) || ts.sys.directoryExists(name),
  readFile: (name) => byName.get(name)?.code ?? files.readFile(pathOf(name)),
  getSourceFile: (name, language, ...rest) => {
    const example = byName.get(name);
    if (example !== undefined) return ts.createSourceFile(name, example.code, language);
    const text = name.startsWith(pages) ? files.readFile(pathOf(name)) : undefined;
    return text === undefined ? files.getSourceFile(name, language, ...rest) : ts.createSourceFile(name, text, language);
  },
};

const program = ts.createProgram([...byName.keys()], options, host);
for (const [name, { file, line }] of byName) {
  const source = program.getSourceFile(name);
  for (const { start = 0, messageText } of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
    fail(file, line + (source?.getLineAndCharacterOfPosition(start).line ?? 0), ts.flattenDiagnosticMessageText(messageText, ' '));
  }
}

/** The words of a command, split like a shell does. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)].map(([word, single, double]) => single ?? double ?? word);
}

/** The error of parsing a command; it is not run. */
async function complaintOf(words: readonly string[]): Promise<string | undefined> {
  const terminal = { ...processTerminal, stderr: { write: () => true, on: () => undefined } };
  const cli = programOf({ terminal, end$: NEVER });
  for (const command of cli.commands) command.action(() => undefined);
  try {
    await cli.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
}

const ran = /^(?:npx |.* && )?rx-informer (.*?)(?: *[|#].*)?$/gm;
const typed = examples
  .filter(({ language }) => language === 'sh')
  .flatMap(({ file, line, code }) => [...code.matchAll(ran)].map(([, words = '']) => ({ file, line, words })));
let help = '';
const cli = programOf({ terminal: { ...processTerminal, stdout: { write: (text) => (help += text), on: () => undefined } }, end$: NEVER });
for (const command of cli.commands) command.outputHelp();
const helped = [...help.matchAll(/^ {2}rx-informer (.*?)(?: *[|<].*)?$/gm)].map(([, words = '']) => ({
  file: 'packages/cli/src/program/programOf.ts',
  line: 0,
  words,
}));
const commands = [...typed, ...helped];
for (const { file, line, words } of commands) {
  const complaint = await complaintOf(wordsOf(words));
  if (complaint !== undefined) fail(file, line, `rx-informer ${words}: ${complaint}`);
}
console.log(`${String(compiled.length)} examples, ${String(commands.length)} commands, ${String(failures)} errors`);
if (failures > 0) process.exitCode = 1;
