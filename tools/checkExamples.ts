// Type-checks every TypeScript example: the `ts` code blocks of README.md and docs/, and those in the TSDoc comments of src/.
//
// An example is a module of its own. It imports the package by its public names, as a user would. One that begins with its file's name,
// `// cards.ts`, can be imported by the others of its page.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entries } from './entries.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** One code block, and where it stands. */
interface Example {
  readonly file: string;
  /** The line of its first line of code, from 0. */
  readonly line: number;
  readonly code: string;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.startsWith('api/kubernetes/') && !/^api\/.*\.md$/.test(name))
    .map((name) => join(folder, name));
}

/** The code blocks of a text whose lines may all begin with the star of a comment. */
function examplesOf(file: string): Example[] {
  const examples: Example[] = [];
  let block: { line: number; lines: string[] } | undefined;
  const isSource = file.endsWith('.ts');
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const text = isSource ? line.replace(/^\s*\* ?/, '') : line;
    if (isSource && !/^\s*\*/.test(line)) block = undefined;
    else if (block === undefined) {
      if (/^\s*```ts\b/.test(text)) block = { line: at + 1, lines: [] };
    } else if (/^\s*```\s*$/.test(text)) {
      examples.push({ file, line: block.line, code: block.lines.join('\n') });
      block = undefined;
    } else block.lines.push(text);
  }
  return examples;
}

const examples = [join(root, 'README.md'), ...filesBelow(join(root, 'docs'), '.md'), ...filesBelow(join(root, 'src'), '.ts')].flatMap(
  examplesOf,
);

const pages = join(root, 'examples of ');

/** Where an example stands for the compiler: those of one page in one folder, under their own names if they have any. */
function nameOf({ file, code }: Example, at: number): string {
  const [, name = `example-${String(at)}.ts`] = /^\/\/ (\w[\w.]*\.ts)\n/.exec(code) ?? [];
  return join(`${pages}${basename(file)}`, name);
}

const byName = new Map(examples.map((example, at) => [nameOf(example, at), example]));
if (byName.size < examples.length) throw new Error('Two examples of one page have the same file name');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  paths: Object.fromEntries([...entries].map(([name, file]) => [name, [join(root, `src/${file}.ts`)]])),
};

const files = ts.createCompilerHost(options);
const host: ts.CompilerHost = {
  ...files,
  fileExists: (name) => byName.has(name) || files.fileExists(name),
  directoryExists: (name) => name.startsWith(pages) || ts.sys.directoryExists(name),
  readFile: (name) => byName.get(name)?.code ?? files.readFile(name),
  getSourceFile: (name, language, ...rest) => {
    const example = byName.get(name);
    return example === undefined ? files.getSourceFile(name, language, ...rest) : ts.createSourceFile(name, example.code, language);
  },
};

const program = ts.createProgram([...byName.keys()], options, host);
let failures = 0;
for (const [name, { file, line }] of byName) {
  const source = program.getSourceFile(name);
  for (const { start = 0, messageText } of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
    failures += 1;
    const at = line + (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    console.error(`${relative(root, file)}:${String(at)} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  }
}
console.log(`${String(examples.length)} examples, ${String(failures)} errors`);
if (failures > 0) process.exitCode = 1;
