// Checks the claims of the pages: linked files and headings exist, names in tables are public, every clause of docs/semantics.md and every
// promise of docs/security.md is proven by tests that exist, every Y of docs/features.md names a spec, and every defect of
// docs/coming-from.md has a test. Checks that the pages are few and short, and their titles questions or tasks.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceFiles } from './sourceFiles.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const problems: string[] = [];

interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
}

function report({ file, number }: Line, problem: string): void {
  problems.push(`${relative(root, file)}:${String(number)} ${problem}`);
}

const read = (file: string): string => readFileSync(file, 'utf8');

function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** The lines of a page outside of code. */
function proseOf(file: string): Line[] {
  let inCode = false;
  return read(file)
    .split('\n')
    .map((text, at): Line => ({ file, number: at + 1, text }))
    .filter(({ text }) => {
      const isFence = /^\s*```/.test(text);
      if (isFence) inCode = !inCode;
      return !isFence && !inCode;
    });
}

/** The anchors of a page's headings, made like on GitHub. */
function anchorsOf(file: string): Set<string> {
  const headings = proseOf(file).flatMap(({ text }) => /^#{1,6} (.+)$/.exec(text)?.[1] ?? []);
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Whether a cell links a spec, of the root or of a package. */
function isSpecLinked(cell: string): boolean {
  return /\]\(\.\.\/(?:packages\/[\w-]+\/|workshop\/)?spec\//.test(cell);
}

/** The names of the tests in a spec; for the conformance suite, those of its cases. */
function testsOf(spec: string): Set<string> {
  const files = [spec];
  if (spec.endsWith('conformance/source.spec.ts')) {
    const cases = join(root, 'src/testing/suites/sourceCases');
    files.push(...readdirSync(cases).map((name) => join(cases, name)));
  }
  const names = files.flatMap((file) => [
    ...read(file).matchAll(
      /(?:^|\s|\)|\bit|\btest|\bfailing|\blisting|\bstreaming|\bwatching)(?:\(|name: )\s*(['"`])((?:\\.|(?!\1).)*)\1/gm,
    ),
  ]);
  return new Set(names.map(([, , name = '']) => name.replace(/\\(['"`])/g, '$1')));
}

function checkLink(line: Line, target: string): void {
  if (/^[a-z]+:/.test(target)) return;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? line.file : resolve(dirname(line.file), decodeURIComponent(path));
  if (!existsSync(file)) report(line, `links to ${target}, which does not exist`);
  else if (anchor !== undefined && (statSync(file).isDirectory() || !anchorsOf(file).has(anchor)))
    report(line, `links to ${target}, which has no such heading`);
}

type TestsOfSpecs = Readonly<Record<string, readonly string[]>>;

const readJson = (name: string): unknown => JSON.parse(read(join(root, name)));

/** Reports tests that are not in their specs. */
function checkTests(line: Line, named: TestsOfSpecs): void {
  for (const [spec, titles] of Object.entries(named)) {
    const isThere = existsSync(join(root, spec));
    const missing = isThere ? titles.find((title) => !testsOf(join(root, spec)).has(title)) : 'the spec itself';
    if (missing !== undefined) report(line, `is proven by a test that is not in ${spec}: ${missing}`);
  }
}

/** Each clause has specs in workshop/tools/proofs/tests.json, and the tests that it names are in them. */
function checkClauses(file: string): void {
  const tests = readJson('workshop/tools/proofs/tests.json') as Readonly<Record<string, TestsOfSpecs>>;
  const clauses = new Map(
    proseOf(file).flatMap(
      (line) =>
        /^\*\*(\d+\.\d+)\*\*/
          .exec(line.text)
          ?.slice(1)
          .map((number) => [number, line]) ?? [],
    ) as [string, Line][],
  );
  for (const [number, line] of clauses) {
    const named = tests[number] ?? {};
    if (Object.keys(named).length === 0) report(line, 'is a clause without a spec');
    checkTests(line, named);
  }
  for (const number of Object.keys(tests))
    if (!clauses.has(number)) problems.push(`workshop/tools/proofs/tests.json has a clause ${number}, and ${file} has not`);
}

/** Each promise in a table links a spec, and its tests are in workshop/tools/proofs/security.json. */
function checkPromises(file: string): void {
  const tests = readJson('workshop/tools/proofs/security.json') as TestsOfSpecs;
  for (const line of proseOf(file)) {
    const [, , cell = ''] = line.text.split('|').map((part) => part.trim());
    for (const [, spec = ''] of cell.matchAll(/\]\(\.\.\/([^)]+\.spec\.ts)\)/g)) {
      if ((tests[spec] ?? []).length === 0) report(line, `is proven by no test of ${spec}`);
      checkTests(line, { [spec]: tests[spec] ?? [] });
    }
  }
}

function checkFeatures(file: string): void {
  for (const line of proseOf(file)) {
    const [, number, , mark = '', spec = ''] = line.text.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (number !== undefined && /^\d+$/.test(number) && mark === 'Y' && !isSpecLinked(spec)) report(line, 'is marked Y without a spec');
  }
}

/** A defect without a linked spec is tested in makeInformer's spec, by its number. */
function checkDefects(file: string): void {
  const proven = new Set<string>();
  for (const name of testsOf(join(root, 'spec/clientNode/makeInformer.spec.ts'))) {
    const [, numbers = ''] = /\(defects? ([^)]+)\)/.exec(name) ?? [];
    for (const [number] of numbers.matchAll(/\d+/g)) proven.add(number);
  }
  for (const line of proseOf(file)) {
    const [, numbers = '', , here = ''] = line.text.split('|').map((cell) => cell.trim());
    if (!/^[\d, ]+$/.test(numbers) || here === '-' || isSpecLinked(here)) continue;
    for (const [number] of numbers.matchAll(/\d+/g)) if (!proven.has(number)) report(line, `has no test that cites defect ${number}`);
  }
}

/** Warnings of a running program link the heading of their code. */
function checkWarnings(file: string): void {
  const source = sourceFiles()
    .map((name) => read(join(root, name)))
    .find((text) => text.includes('export type WarningCode ='));
  const [, union = ''] = /export type WarningCode =([^;]*);/.exec(source ?? '') ?? [];
  const codes = [...union.matchAll(/'([\w-]+)'/g)].map(([, code = '']) => code);
  if (codes.length === 0) problems.push('Expected the codes of warnings in a source, got none');
  for (const code of codes) if (!anchorsOf(file).has(code)) problems.push(`${relative(root, file)} has no heading for the warning ${code}`);
}

/** Scripts that a page runs exist: in package.json, with `--prefix workshop` in that of the workshop, or in the starter's. */
function checkScripts(file: string): void {
  const scriptsOf = (name: string): string[] => Object.keys((readJson(name) as { readonly scripts: object }).scripts);
  const own = new Set([...scriptsOf('package.json'), ...scriptsOf('packages/create/template/_package.json')]);
  const workshop = new Set(scriptsOf('workshop/package.json'));
  for (const [at, text] of read(file).split('\n').entries())
    for (const [command, prefix, name = ''] of text.matchAll(/npm run (?:-s )?(--prefix workshop )?([a-z][\w:-]*)/g))
      if (!(prefix === undefined ? own : workshop).has(name))
        report({ file, number: at + 1, text }, `runs ${command}, which does not exist`);
}

/** The columns of tables that have names of these packages. */
const isOurs = (heading: string): boolean =>
  /^(?:option|member|method|function|use|here|`?(?:@rx-informer\/[\w-]+|rx-informer)`?)$/.test(heading);

/** The names that the API reports declare, members included. */
function publicNames(folder: string): ReadonlySet<string> {
  const reports = pagesBelow(folder).map(read).join('\n');
  const members = reports.matchAll(/^\s+(?:(?:readonly|get) )*(\w+)\??[:(<]/gm);
  const exported = reports.matchAll(/^(?:function|const|class|interface|type) (\w+)/gm);
  return new Set([...members, ...exported].map(([, name = '']) => name));
}

/** Cells of our columns that are nothing but names have names that exist. */
function checkTables(file: string, names: ReadonlySet<string>): void {
  let headings: readonly string[] = [];
  for (const line of proseOf(file)) {
    const cells = line.text.startsWith('|') ? line.text.split(/(?<!\\)\|/).map((cell) => cell.trim()) : [];
    if (headings.length === 0 || cells.length === 0) headings = cells;
    for (const [at, cell] of cells.entries()) {
      if (!isOurs(headings[at] ?? '') || !/^`\w+`(?:, `\w+`)*$/.test(cell)) continue;
      for (const [, name = ''] of cell.matchAll(/`(\w+)`/g)) if (!names.has(name)) report(line, `names \`${name}\`, which no package has`);
    }
  }
}

const most = { pages: 21, words: 30_000, columns: 119, changelogLines: 60, readmeLines: 80 };

/** Pages for contributors. All others are for users. */
const forContributors = ['architecture.md', 'decisions.md'];

/** The verbs with which the title of a task begins. */
const tasks = /^(?:Choose|Connect|Find|Follow|Make|Move|Read|Run|Show|Test|Write) /;

/** A table that a tool writes, between comments. */
const generated = /<!-- ([\w ]+) -->[^]*?<!-- end of \1 -->/g;

/** Words as `wc -w` counts them: whatever stands between blanks, the lines of tables and the code included. */
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/**
 * The pages stay few and short, and their titles say what they answer. The words of all pages count, but for those of tables that a tool
 * writes. Tables may have long lines.
 */
function checkSizes(folder: string, changelog: string, readme: string): void {
  const all = pagesBelow(folder);
  const guides = all.filter((file) => !forContributors.includes(relative(folder, file)));
  const words = all.map((file) => wordsOf(read(file).replace(generated, ''))).reduce((sum, count) => sum + count, 0);
  const isOver = (what: string, count: number, bound: number): void => {
    if (count > bound) problems.push(`${what}, expected ${String(bound)} at most, got ${String(count)}`);
  };
  isOver('The number of pages for users in docs', guides.length, most.pages);
  isOver('The words in docs without generated tables', words, most.words);
  isOver('The lines of CHANGELOG.md', read(changelog).split('\n').length - 1, most.changelogLines);
  // Comments are not seen: among them what is shown once the packages are published.
  const shown = read(readme).replace(/^<!--[^]*?-->\n/gm, '');
  isOver('The lines of README.md', shown.split('\n').length - 1, most.readmeLines);
  for (const file of all) {
    const [title = { file, number: 1, text: '' }] = proseOf(file);
    const isQuestionOrTask = title.text.endsWith('?') || tasks.test(title.text.replace('# ', ''));
    if (!title.text.startsWith('# ') || !isQuestionOrTask)
      report(title, `has the title ${JSON.stringify(title.text)}, expected a question or a task`);
  }
  for (const line of all.flatMap(proseOf)) {
    const isOneLink = /^(?:- )?!?\[[^\]]*\]\([^)]*\)$/.test(line.text);
    if (line.text.length > most.columns && !line.text.startsWith('|') && !isOneLink)
      report(line, `has ${String(line.text.length)} columns`);
  }
  console.log(
    `${String(guides.length)} pages for users, ${String(all.length - guides.length)} for contributors, ${String(words)} words (wc -w) without generated tables`,
  );
}

const docs = join(root, 'docs');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', '.github/SECURITY.md']
    .map((name) => join(root, name))
    .filter((file) => existsSync(file)),
  ...pagesBelow(docs),
  ...pagesBelow(join(root, 'workshop/reports')),
  ...pagesBelow(join(root, 'examples')),
];
checkSizes(docs, join(root, 'CHANGELOG.md'), join(root, 'README.md'));
const names = publicNames(join(root, 'workshop/api'));
for (const page of pagesBelow(docs)) checkTables(page, names);
checkWarnings(join(docs, 'troubleshooting.md'));

let links = 0;
for (const line of pages.flatMap(proseOf)) {
  for (const [, target = ''] of line.text.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
    links += 1;
    checkLink(line, target);
  }
}
for (const page of pages) checkScripts(page);
checkClauses(join(docs, 'semantics.md'));
checkPromises(join(docs, 'security.md'));
checkFeatures(join(docs, 'features.md'));
checkDefects(join(docs, 'coming-from.md'));

for (const problem of problems) console.error(problem);
console.log(`${String(pages.length)} pages, ${String(links)} links, ${String(problems.length)} problems`);
if (problems.length > 0) process.exitCode = 1;
