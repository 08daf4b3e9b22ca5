// Writes the public API of the package to workshop/api/, one file per entry: every export with its declaration, and the types that declarations
// mention but no entry exports. A change of the public surface then shows in a review as a change of these files.
//
//   npm run api-report           writes them
//   npm run check:api-report     fails when they are not what it would write
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entries, folderOf, houses } from './houses.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = houses.map((house) => join(folderOf(house), 'src/'));
const isSource = (path: string): boolean => folders.some((folder) => path.startsWith(folder));
/** The names of the reports, and the sources of the entries. */
const reports = Object.fromEntries(
  entries.map(({ name, source }) => [name.replace(/^@?rx-informer\//, '').replaceAll('/', '-'), { name, source }]),
);

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  stripInternal: true,
  types: ['node'],
  customConditions: ['@rx-informer/source'],
};

/** Emits a declaration file per source file: with `isolatedDeclarations`, one file is enough. */
function declarationHost(): ts.CompilerHost {
  const files = ts.createCompilerHost(compilerOptions);
  const sourceOf = (name: string): string | undefined => (isSource(name) ? name.replace(/(?:\.d)?\.ts$/, '.ts') : undefined);
  return {
    ...files,
    fileExists: (name) =>
      sourceOf(name) === undefined ? files.fileExists(name) : name.endsWith('.d.ts') && existsSync(sourceOf(name) ?? ''),
    getSourceFile: (name, language, ...rest) => {
      const source = sourceOf(name);
      if (source === undefined) return files.getSourceFile(name, language, ...rest);
      const { outputText } = ts.transpileDeclaration(readFileSync(source, 'utf8'), { fileName: source, compilerOptions });
      return ts.createSourceFile(name, outputText, language, true);
    },
  };
}

const program = ts.createProgram(
  Object.values(reports).map(({ source }) => source),
  compilerOptions,
  declarationHost(),
);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

const isOurs = (node: ts.Node): boolean => isSource(node.getSourceFile().fileName);
/** Generated files are checked by `npm run catalog:check`; the reports only list their names. */
const isGenerated = (node: ts.Node): boolean => /\/api\/(?:kubernetes\/|resources\.)/.test(node.getSourceFile().fileName);

function resolved(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The statement of a declaration: for a constant, the whole `const`. */
function statementOf(node: ts.Node): ts.Node {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

function isPrivate(member: ts.ClassElement): boolean {
  return ts.canHaveModifiers(member) && (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
}

function textOf(node: ts.Node): string {
  const shown = ts.isClassDeclaration(node)
    ? ts.factory.updateClassDeclaration(
        node,
        node.modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members.filter((member) => !isPrivate(member)),
      )
    : node;
  return printer
    .printNode(ts.EmitHint.Unspecified, shown, node.getSourceFile())
    .replace(/^export /, '')
    .replace(/^declare /, '');
}

/** The top-level names of our modules that a declaration mentions. */
function mentionedBy(node: ts.Node, found: Set<ts.Symbol> = new Set()): ReadonlySet<ts.Symbol> {
  node.forEachChild((child) => {
    if (ts.isIdentifier(child)) {
      const symbol = checker.getSymbolAtLocation(child);
      const target = symbol && resolved(symbol);
      const declaration = target?.declarations?.[0];
      if (target && declaration && isOurs(declaration) && ts.isSourceFile(statementOf(declaration).parent)) found.add(target);
    }
    if (!(ts.isClassElement(child) && isPrivate(child))) mentionedBy(child, found);
  });
  return found;
}

const declarationsOf = (symbol: ts.Symbol): readonly ts.Node[] => [...new Set((symbol.declarations ?? []).map(statementOf))];
const byName = (a: ts.Symbol, b: ts.Symbol): number => (a.name < b.name ? -1 : 1);

/** The types that exported declarations mention, directly or through others, and that no entry exports. */
function hiddenBehind(symbols: readonly ts.Symbol[], isPublic: (symbol: ts.Symbol) => boolean): ts.Symbol[] {
  const hidden = new Set<ts.Symbol>();
  const waiting = symbols.flatMap(declarationsOf);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isGenerated(node)) continue;
    for (const symbol of mentionedBy(node)) {
      if (isPublic(symbol) || hidden.has(symbol)) continue;
      hidden.add(symbol);
      waiting.push(...declarationsOf(symbol));
    }
  }
  return [...hidden].sort(byName);
}

function exportsOf(source: string): ts.Symbol[] {
  const file = program.getSourceFile(source);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`Expected ${source} to be a module`);
  return checker.getExportsOfModule(module).map((symbol) => resolved(symbol));
}

const fenced = (lines: readonly string[]): string => `\`\`\`ts\n${lines.join('\n\n')}\n\`\`\`\n`;

const publicSymbols = new Set(Object.values(reports).flatMap(({ source }) => exportsOf(source)));

function reportOf(name: string, source: string): string {
  const all = exportsOf(source).sort(byName);
  const generated = all.filter((symbol) => declarationsOf(symbol).every(isGenerated));
  const own = all.filter((symbol) => !generated.includes(symbol));
  const hidden = hiddenBehind(own, (symbol) => publicSymbols.has(symbol)).filter((symbol) => !declarationsOf(symbol).every(isGenerated));
  const printed = (symbols: readonly ts.Symbol[]): string => fenced(symbols.flatMap((symbol) => declarationsOf(symbol).map(textOf)));
  const parts = [`# ${name}\n`, 'Made by `npm run api-report`. Do not edit.\n', printed(own)];
  if (hidden.length > 0) parts.push('## Named by these, and not exported\n', printed(hidden));
  if (generated.length > 0) parts.push('## Generated by `npm run catalog`\n', `${generated.map((symbol) => symbol.name).join('\n')}\n`);
  return parts.join('\n');
}

const check = process.argv.includes('--check');
const folder = join(root, 'workshop/api');
mkdirSync(folder, { recursive: true });
for (const [title, { name, source }] of Object.entries(reports)) {
  const file = join(folder, `${title}.md`);
  const report = reportOf(name, source);
  if (existsSync(file) && readFileSync(file, 'utf8') === report) continue;
  if (!check) writeFileSync(file, report);
  else {
    console.error(`The public surface is not as ${relative(root, file)} says. If that is meant: npm run api-report, and commit it`);
    process.exitCode = 1;
  }
}
