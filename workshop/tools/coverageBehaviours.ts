// Which behaviours of client-go's informer machinery do our specs prove?
//
// A spec cites a behaviour by its row id in a test's name: it('keeps the last of several equal keys (ST-06)'). Of each test that passed in
// the last runs (reports/*.json) the first two ids count. Where this library differs on purpose, the behaviour names the row of
// docs/differences.md that says how.
//
// npm run coverage:behaviours -- ST-06 AF-02    what these behaviours are
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface Behaviour {
  readonly id: string;
  readonly component: string;
  readonly mark: 'core' | 'useful' | 'peripheral';
  /** What it is, in one sentence; each that a spec cites has one. */
  readonly says?: string;
  /** The row of docs/differences.md for a behaviour that this library does not have. */
  readonly differs?: string;
}

/** The part of Jest's JSON results that is used here. */
interface JestResults {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[] }[];
}

type Standing = 'cited' | 'decided' | 'missing';

const rowId = /\b[A-Z]{2}-\d{2}\b/g;
const idsPerTest = 2;
const root = new URL('../..', import.meta.url);

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8')) as T;
}

async function namesOfPassedTests(): Promise<string[]> {
  const files = await readdir(new URL('reports/', root)).catch(() => []);
  const reports = files.filter((file) => file.endsWith('.json'));
  if (reports.length === 0) throw new Error(`No test results in ${fileURLToPath(new URL('reports/', root))}: run npm test first`);
  const results = await Promise.all(reports.map((file) => readJson<JestResults>(`reports/${file}`)));
  return results
    .flatMap((result) => result.testResults)
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'passed')
    .map((test) => test.fullName);
}

/** The behaviours that this library does not have, on purpose. Fails when the page has no row for one. */
async function decidedIds(behaviours: readonly Behaviour[]): Promise<Set<string>> {
  const text = await readFile(new URL('docs/differences.md', root), 'utf8');
  const decided = behaviours.filter(({ differs }) => differs !== undefined);
  const silent = decided.find(({ differs = '' }) => !text.includes(`\n| ${differs} |`));
  if (silent !== undefined) throw new Error(`Expected a row ${JSON.stringify(silent.differs)} in docs/differences.md, for ${silent.id}`);
  return new Set(decided.map(({ id }) => id));
}

function citedIds(testNames: readonly string[]): Set<string> {
  return new Set(testNames.flatMap((name) => [...new Set(name.match(rowId))].slice(0, idsPerTest)));
}

function countsOf(behaviours: readonly Behaviour[], standingOf: (id: string) => Standing): string {
  const count = (standing: Standing): number => behaviours.filter(({ id }) => standingOf(id) === standing).length;
  return (['cited', 'decided', 'missing'] as const).map((standing) => String(count(standing)).padStart(8)).join('');
}

function printTable(behaviours: readonly Behaviour[], standingOf: (id: string) => Standing): void {
  const components = [...new Set(behaviours.map(({ component }) => component))];
  const width = Math.max(...components.map((name) => name.length)) + 2;
  const line = (name: string, rows: readonly Behaviour[]): string => {
    const marked = (mark: Behaviour['mark']): Behaviour[] => rows.filter((row) => row.mark === mark);
    return `${name.padEnd(width)}${countsOf(marked('core'), standingOf)}   ${countsOf(marked('useful'), standingOf)}`;
  };
  const heading = '   cited decided missing';
  console.log(`${''.padEnd(width)}    core${''.padEnd(19)}    useful`);
  console.log(`${''.padEnd(width)}${heading}   ${heading}`);
  for (const name of components) {
    console.log(
      line(
        name,
        behaviours.filter(({ component }) => component === name),
      ),
    );
  }
  console.log(line('total', behaviours));
}

function printMissing(behaviours: readonly Behaviour[], standingOf: (id: string) => Standing): void {
  for (const mark of ['core', 'useful'] as const) {
    const missing = behaviours.filter((row) => row.mark === mark && standingOf(row.id) === 'missing').map(({ id }) => id);
    console.log(`\nmissing, ${mark}: ${missing.join(' ') || 'none'}`);
  }
}

const behaviours = await readJson<Behaviour[]>('workshop/tools/behaviours.json');
const [, , ...asked] = process.argv;

/** What a behaviour is. */
function sentenceOf(id: string): string {
  const behaviour = behaviours.find((each) => each.id === id);
  if (behaviour === undefined) throw new Error(`Expected the number of a behaviour, such as ST-06, got ${JSON.stringify(id)}`);
  const { component, mark, says = 'no spec cites it' } = behaviour;
  return `${id}  ${component}, ${mark}: ${says}`;
}

async function printCoverage(): Promise<void> {
  const cited = citedIds(await namesOfPassedTests());
  const decided = await decidedIds(behaviours);
  const standingOf = (id: string): Standing => (cited.has(id) ? 'cited' : decided.has(id) ? 'decided' : 'missing');

  printTable(behaviours, standingOf);
  printMissing(behaviours, standingOf);
  const known = new Set(behaviours.map(({ id }) => id));
  const unknown = [...cited].filter((id) => !known.has(id));
  if (unknown.length > 0) console.log(`\nno such behaviour: ${unknown.join(' ')}`);
}

if (asked.length > 0) for (const id of asked) console.log(sentenceOf(id));
else await printCoverage();
