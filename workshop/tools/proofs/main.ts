// Writes workshop/reports/proofs.md: each promise of docs/semantics.md with its proofs, and the results of the explorer.
//
//   npm run proofs from docs/semantics.md and the stored figures npm run proofs -- --explore explores again, and stores the figures in
// workshop/reports/runs/explored.json; with EXPLORE_MINUTES, for that time as well npm run proofs -- --check fails when the page is not what it would
// write
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Explored, exploreAll } from './exploreAll.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = join(root, 'workshop/reports/proofs.md');
/** The tests that prove each clause of docs/semantics.md, by their specs. */
const tests = JSON.parse(readFileSync(join(root, 'workshop/tools/proofs/tests.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>;
const figures = join(root, 'workshop/reports/runs/explored.json');
const count = (number: number): string => number.toLocaleString('en');

// Proofs of a promise

/** The kinds of proofs, strongest first. */
const kinds = ['explored', 'property', 'faults', 'real server', 'spec'] as const;
type Kind = (typeof kinds)[number];

/** A spec that proves a promise, and the relevant tests; all if none is named. */
interface Shown {
  readonly spec: string;
  readonly titles: readonly string[];
}

/** The property tests of a spec, by their titles, with the number of random histories. */
function propertiesOf(spec: string): ReadonlyMap<string, number> {
  const source = existsSync(join(root, spec)) ? readFileSync(join(root, spec), 'utf8') : '';
  const tests = [...source.matchAll(/(?:\bit\(|\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1,/g)];
  const byDefault = Number(/= runs\(([1-9][\d_]*)\)/.exec(source)?.[1]?.replaceAll('_', '') ?? 100);
  return new Map(
    tests.flatMap(({ 2: title = '', index }, at) => {
      const body = source.slice(index, tests[at + 1]?.index);
      if (!body.includes('fc.assert(')) return [];
      return [[title, Number(/numRuns: (?:runs\()?([\d_]+)/.exec(body)?.[1]?.replaceAll('_', '') ?? byDefault)] as const];
    }),
  );
}

/** The number of random histories that prove a promise; 0 without a property test. */
function historiesOf({ spec, titles }: Shown): number {
  const counts = [...propertiesOf(spec)].filter(([title]) => titles.length === 0 || titles.includes(title)).map(([, runs]) => runs);
  return Math.max(0, ...counts);
}

function kindOf(shown: Shown): Kind {
  const { spec } = shown;
  if (spec.includes('spec/exhaustive/')) return 'explored';
  if (spec.startsWith('workshop/spec/real/') || spec.startsWith('workshop/spec/peers/')) return 'real server';
  if (spec.startsWith('spec/e2e/') || spec.startsWith('workshop/spec/runtimes/')) return 'faults';
  return historiesOf(shown) > 0 ? 'property' : 'spec';
}

interface Clause {
  readonly number: string;
  readonly promise: string;
  readonly specs: readonly Shown[];
}

function clauses(): readonly Clause[] {
  const text = readFileSync(join(root, 'docs/semantics.md'), 'utf8');
  return text
    .split(/^(?=\*\*\d+\.\d+\*\*)/m)
    .slice(1)
    .map((part) => {
      const [, number = '', prose = ''] = /^\*\*(\d+\.\d+)\*\* ([\s\S]*?)(?:\n\n|$)/.exec(part) ?? [];
      const promise = prose.replaceAll('\n', ' ');
      const specs = Object.entries(tests[number] ?? {}).map(([spec, titles]): Shown => ({ spec, titles }));
      return { number, promise: promise.replaceAll('|', '\\|'), specs };
    });
}

function cellOf(specs: readonly Shown[], kind: Kind): string {
  const links = specs.map((shown) => {
    const { spec, titles } = shown;
    const name = spec.replace(/^.*\//, '').replace(/\.spec\.ts$/, '');
    const histories = kind === 'property' ? historiesOf(shown) : 0;
    const quoted = titles.map((title) => `"${title.replaceAll('|', '\\|')}"`).join(', ');
    return `[${name}](../../${spec})${histories > 0 ? ` (${count(histories)})` : ''}${quoted === '' ? '' : ` ${quoted}`}`;
  });
  return links.join('; ');
}

function clauseRow({ number, promise, specs }: Clause): string {
  return `| ${number} | ${promise} | ${kinds
    .map((kind) =>
      cellOf(
        specs.filter((spec) => kindOf(spec) === kind),
        kind,
      ),
    )
    .join(' | ')} |`;
}

function summaryOf(all: readonly Clause[]): string {
  const strongest = all.map(({ specs }) => kinds.find((kind) => specs.some((spec) => kindOf(spec) === kind)) ?? 'nothing');
  const parts = [...kinds, 'nothing'].map((kind) => `${strongest.filter((one) => one === kind).length} by ${kind}`);
  return `Of ${all.length} promises, by the strongest thing that shows each: ${parts.join(', ')}.`;
}

// The page

function exploredRow({ machine, name, words, depth, states, runs, mutants, deep }: Explored): string {
  const [what, reached] = runs === undefined ? [`${count(states)} states`, `${depth} moves`] : [`${count(runs)} runs`, `${depth} acts`];
  const far = deep === undefined ? 'not tried' : `${deep.depth} moves, ${count(deep.states)} states in ${deep.minutes} minutes`;
  return `| ${machine}: ${name} | ${words} | ${reached} | ${what} | ${far} | ${mutants} |`;
}

function pageOf(explored: readonly Explored[]): string {
  const all = clauses();
  return `# Proofs

How each promise of [Semantics](../../docs/semantics.md) is shown: by exploring every order of events up to a depth, by random histories, or only by the cases that a spec
names. This page is written by \`npm run -s --prefix workshop proofs\`.

## Promises

*Explored*: every order of events, up to the depth below. *Property*: a test of random histories, with their number: \`npm test\` tries a quarter of it. *Faults*: processes that are
killed, stopped or cut off. *Real server*: a kube-apiserver, or client-go. *Spec*: the named cases.

${summaryOf(all)}

| clause | promise | explored | property | faults | real server | spec |
|---|---|---|---|---|---|---|
${all.map(clauseRow).join('\n')}

## What is explored

The code itself is run, not a model of it: \`step\` of the reflector, \`electionStep\` and \`tenureStep\` of leader election, \`nextRecord\` of shards, the cursors of a relay, and the classes that count snapshots and run
turns. It runs against a simulated server, network and clock. All possible next events are tried, breadth first. States that behave alike
are merged. From each state, the goal must be reached when no more faults occur. A violation is printed as a shortest trace and as a spec.
\`EXPLORE_MINUTES=60 npm test -- spec/exhaustive\` explores each machine with states for an hour; the last column but one has the result of such runs. The mutants
are named changes of the sources that the exploration must find.

| machine | what happens | every order of | tried | with more time | mutants found |
|---|---|---|---|---|---|
${explored.map(exploredRow).join('\n')}

${remarks}`;
}

const remarks = `### The reflector

These must never happen: a version is skipped without a list; it waits for a request that is not running; a list and a watch run at once; more than
six requests are sent while no time passes and no event comes; \`health$\` shows a wrong state; the state of a server at rest is not reached. For each of these there is
a mutant that causes it.

Exploring with more time has found two defects, whose traces are specs now. A server that ended a watch on time, and was restored while the next watch had to wait, was trusted without
a version check. So was a server whose periodic list was older than what the watch had brought before the restore.

Omitted or reduced:

- Times are a few whole seconds: a watch is healthy after two, silent after three, and is asked to end after four. Older times are equivalent, since nothing depends on them.
- Failures in a row count up to two, when the wait is at its longest. The random numbers of one step are all low or all high.
- Two objects, and changes of others that only raise the version. Up to two changes, one restore, one compaction and two faults in one history.
- A page has one object. The size of pages is not explored.
- A server sends a watch nothing at or below the version that it was asked for.
- A restored server ends its watches abnormally, or refuses the next one. A server that ends a watch in the second in which it was due to end, and is restored
  before the next watch, which is requested at once, is not checked.
- A restored server whose version has passed the checked version before the check cannot be distinguished from one that was not restored. The cache may then be wrong
  until the next list.

### Leader election

These must never happen: two candidates lead at once; a token is not higher than all before it; a candidate sends a request after its term while another one leads; work that began under
one leadership writes under another one; a lease is released while work is running.

The exploration finds the three known defects of leadership again when their fixes are removed. Before commit 4344944b, classes made these decisions. The first two fixes are in
\`tenureStep\` now, and are removed there:

- \`boundClient\` checked the clock once per request, and not again when the request was repeated after a \`Retry-After\` or left the queue of \`qps\`. Only the signal
  of the leadership stopped it, which depends on a timer. Removed: sending checks whether the leadership has been ended, but not the clock. After seven moves, an old leader writes while the
  next one leads.
- \`stop\` waited for the promises of the function of \`whileLeading\`, but not for the calls of a \`reconcile\` in it. Removed: entering work is not counted. Three moves.
- The client of a controller of \`createManager\` belonged to the current leadership. No pure function decides that: in the machine, work that began under one leadership
  sends with the client of the last one. Six moves.

The machine was also run on \`electionStep\` of that commit: two candidates lead at once after eight moves, when the lease is deleted. The exploration found that
defect, and e287c9df fixed it.

Omitted or reduced:

- A lease of three seconds, a deadline of two. Any candidate may pause at any point. Clocks run at the same rate; different rates are covered by a property
  (\`electionStep.property.spec.ts\`).
- Reading the clock and sending are one step. A process that the operating system stops between the two may send late; requests that were under way may arrive.
- A candidate that has never seen a lease takes one that is missing at once. If a lease is deleted while such a candidate begins, two candidates lead, and tokens start again.
- Two abandoned writes may still be on their way.

### Shards

These must never happen: two members work on a slot at once; a token decreases; without further faults, a slot stays without a member, or a member without a slot.

- Two members with two slots, of which one member dies and one leaves; three members with three slots, of which one member dies. Any may pause at any point: a term that was not renewed for two
  seconds is over for its member, one that has not changed for three is over for the others.
- The leases of members are assumed to work, as shown for leader election. \`nextRecord\` is the code itself; its effects are simulated.

### Turns and snapshots

Each sequence of choices is run from the beginning, since the state is private. The phases come in order, and each action runs once, also when another one throws. After
a join of two graphs that are both in the middle of turns, only the latter is checked: each action runs once.

### The relay's cursors and rights

These must never happen: a user is sent a row without the right to see it; a current page differs from what its user may see; a page that is written to does not become current.
Exploring found two defects. A page that was filled slowly from a log that had once forgotten deletions was restarted again and again.
An object that had moved to a group that was dropped before the commit stayed in its old group.

- Two users, three keys, two namespaces; rights to none, one, both or all. A write is one row, the smallest write that backpressure allows. Only the order of positions counts; keys are
  interchangeable, and so are users.
- The functions of \`cursor.ts\` are the code itself; the log and the page around them are simulated by the rules of \`ScopeLog\` and \`ScopeContent\`.
- After its stream was cut, a page shows its old content until the new list is complete, including objects that its user may no longer see. After its user has lost the right to everything,
  it shows the removed objects until the commit.

### Not explored yet

The parts of a member around \`nextRecord\` (\`ShardMember\`, \`SlotHolds\`) are covered by properties and specs only. A list beside the watch is not explored when a reflector's periodic list is
streamed.
`;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, explore: { type: 'boolean', default: false } } });
const known = JSON.parse(readFileSync(figures, 'utf8')) as readonly Explored[];
const explored = values.explore ? exploreAll(known) : known;
if (values.explore) writeFileSync(figures, `${JSON.stringify(explored, null, 1)}\n`);
const text = pageOf(explored);
if (!values.check) writeFileSync(page, text);
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error(
    'workshop/reports/proofs.md is not what docs/semantics.md and workshop/reports/runs/explored.json say: npm run -s --prefix workshop proofs',
  );
  process.exitCode = 1;
}
