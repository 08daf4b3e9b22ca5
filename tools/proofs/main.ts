// Writes docs/proofs.md: each promise of docs/semantics.md with its proofs, and the results of the explorer.
//
//   npm run proofs from docs/semantics.md and the stored figures npm run proofs -- --explore explores again, and stores the figures in
// docs/runs/explored.json; with EXPLORE_MINUTES, for that time as well npm run proofs -- --check fails when the page is not what it would
// write
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Explored, exploreAll } from './exploreAll.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = join(root, 'docs/proofs.md');
const figures = join(root, 'docs/runs/explored.json');
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
  const byDefault = Number(/\] \?\? ([1-9][\d_]*)/.exec(source)?.[1]?.replaceAll('_', '') ?? 100);
  return new Map(
    tests.flatMap(({ 2: title = '', index }, at) => {
      const body = source.slice(index, tests[at + 1]?.index);
      if (!body.includes('fc.assert(')) return [];
      return [[title, Number(/numRuns: ([\d_]+)/.exec(body)?.[1]?.replaceAll('_', '') ?? byDefault)] as const];
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
  if (spec.startsWith('spec/exhaustive/')) return 'explored';
  if (spec.startsWith('spec/real/') || spec.startsWith('spec/peers/')) return 'real server';
  if (spec.startsWith('spec/e2e/') || spec.startsWith('spec/runtimes/')) return 'faults';
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
      const [promise = ''] = /^.*?\.(?=\s|$)/.exec(prose.replaceAll('\n', ' ')) ?? [prose];
      const specs = [...part.matchAll(/\]\(\.\.\/(spec\/[^)]+\.ts)\)(?:: (.*))?/g)].map(([, spec = '', named = '']) => ({
        spec,
        titles: [...named.matchAll(/"([^"]*)"/g)].map(([, title = '']) => title),
      }));
      return { number, promise: promise.replaceAll('|', '\\|'), specs };
    });
}

function cellOf(specs: readonly Shown[], kind: Kind): string {
  const links = specs.map((shown) => {
    const { spec } = shown;
    const name = spec.replace(/^.*\//, '').replace(/\.spec\.ts$/, '');
    const histories = kind === 'property' ? historiesOf(shown) : 0;
    return `[${name}](../${spec})${histories > 0 ? ` (${count(histories)})` : ''}`;
  });
  return links.join(', ');
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

How each promise of [Semantics](semantics.md) is shown: which ones were explored in every order of events up to a depth, which ones hold for
random histories, which ones only in the cases that a spec names. This page is written by \`npm run proofs\`.

## Promises

*Explored*: every order of what can happen, up to the depth below. *Property*: a test of random histories, with the number of them in a run of the tests. *Faults*: processes that are
killed, stopped and cut off. *Real server*: a kube-apiserver, or client-go. *Spec*: the cases that it names.

${summaryOf(all)}

| clause | promise | explored | property | faults | real server | spec |
|---|---|---|---|---|---|---|
${all.map(clauseRow).join('\n')}

## What is explored

The code itself is run, not a model of it: \`step\` of the reflector, \`electionStep\` and \`tenureStep\` of leader election, \`nextRecord\` of shards, the cursors of a relay, and the classes that count snapshots and run
turns. Around it stand a server, a network and a clock that do what they are told. Whatever can happen next is tried, breadth first; states that behave alike
are merged; from each state the goal has to be reached when nothing more goes wrong. What goes wrong is printed as a shortest trace and as a spec.
\`EXPLORE_MINUTES=60 npm test -- spec/exhaustive\` explores each machine with states for an hour; how far it got in the time that it has had is in the column before the last. The mutants
are changes of the sources, by name, that have to be found.

| machine | what happens | every order of | tried | with more time | mutants found |
|---|---|---|---|---|---|
${explored.map(exploredRow).join('\n')}

${remarks}`;
}

const remarks = `### The reflector

It never has to happen that a version is skipped without a list, that it waits for something that is not under way, that a list and a watch are under way at once, that more than
six requests are sent while no time passes and nothing new comes, that \`health$\` says something else than what is so, or that a server at rest is not reached. For each of these there is
a mutant that brings it about.

Exploring with more time has found two defects, whose traces are specs now. A server that was restored while the next watch had to wait was trusted where it had ended the last one on
time; and so was one whose periodic list was behind what the watch had brought from before the restore.

Omitted or reduced:

- Times are whole seconds, and few: a watch is healthy after two, silent after three, and is asked to end after four. Older times are equivalent, since nothing depends on them.
- Failures in a row count up to two; the wait is at its longest by then. Chance is low or high, for all draws of one step.
- Two objects, and changes of others that only raise the version. Up to two changes, one restore, one compaction and two faults in one history.
- A page has one object. The size of pages is not explored.
- A server sends a watch nothing at or below the version that it was asked for.
- A server that is restored ends its watches abnormally, or refuses the next one. One that ends a watch in the very second in which it was to end, and is restored
  before the next one reaches it, which is asked for at once, is not doubted.
- A restored server that has overtaken the version that is doubted before it is looked at cannot be told from one that was not restored. What the cache has then may be wrong
  until the next list.

### Leader election

It never has to happen that two lead at once, that a token is not above those before it, that one sends a request after its time while another one leads, that what began under
one leadership writes under another one, or that a lease is given back while work goes on.

The three defects of leadership that attacks have found are found again when their mends are left out. The program before them (the commit before 4344944b) decided these things in
classes; the first two mends stand in \`tenureStep\` now, and are taken out of it:

- A request looked at the clock once, in \`boundClient\`, and not again when it was sent anew after a \`Retry-After\` or came out of the queue of \`qps\`. What stopped it was the signal
  of the leadership, which a timer set off. Taken out: a sending asks whether the leadership has been ended, and not the clock. Seven moves lead to a write of an old leader while the
  next one leads.
- \`stop\` waited for promises of the function of \`whileLeading\` itself, and not for the calls of a \`reconcile\` in it. Taken out: what enters is not counted. Three moves.
- The client of a controller of \`createManager\` belonged to the leadership of the moment. That is no decision of a pure function: in the machine, work that began under one leadership
  sends by way of the last one. Six moves.

The machine was also run on \`electionStep\` of that commit itself: two candidates lead at once after eight moves, when somebody deletes the lease. The exploration found that
defect, and e287c9df mended it.

Omitted or reduced:

- A lease of three seconds, a deadline of two. Any candidate may pause at any point. Clocks run at the same rate; different rates are covered by a property
  (\`electionStep.property.spec.ts\`).
- Reading the clock and sending are one step. A process that the operating system stops between the two may send late; requests that were under way may arrive.
- A candidate that has never seen a lease takes one that is missing at once. If a lease is deleted while such a candidate begins, two candidates lead, and tokens start again.
- Two abandoned writes may still be on their way.

### Shards

It never has to happen that two work on a slot at once, that a token goes down, or that a slot is left out, or a member without one, when nothing more goes wrong.

- Two members with two slots, one of which dies and one of which leaves; three members with three slots, one of which dies. Any may pause at any point: a term that was not renewed for two
  seconds is over for its member, one that has not changed for three is over for the others.
- The leases of members are taken to work as leader election shows. \`nextRecord\` is the code itself, and what follows from it is written anew around it.

### Turns and snapshots

Everything is done again from the beginning for each sequence of choices, as the state is inside. Phases are in order and each work runs once, also when other work throws; after
a join of two graphs that are both in the middle of turns, only that each work runs once.

### The relay's cursors and rights

It never has to happen that a user is sent a row that he may not see, that a page which is current has something else than what its user may see, or that a page which goes on
being written to does not become current. Exploring found two defects: a page that was filled slowly from a log which had ever forgotten deletions began anew again and again, and
an object that had moved to a group which was dropped before the commit stayed under its old group.

- Two users, three keys, two namespaces; rights to none, one, both or all. A write is one row, the smallest that backpressure may leave. Positions count by their order alone; keys are
  alike, and so are users.
- The functions of \`cursor.ts\` are the code itself; the log and the page around them are written anew, by the rules of \`ScopeLog\` and \`ScopeContent\`.
- A page whose stream was cut shows what it had until its new list is complete, also what its user may not see any more; one whose user loses the right to all shows what is about to be
  deleted until the commit.

### Not explored yet

What a member of a group does around \`nextRecord\` (\`ShardMember\`, \`SlotHolds\`): properties and specs show those. Where the periodic list of a reflector is streamed, the list beside the watch is
not explored.
`;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, explore: { type: 'boolean', default: false } } });
const known = JSON.parse(readFileSync(figures, 'utf8')) as readonly Explored[];
const explored = values.explore ? exploreAll(known) : known;
if (values.explore) writeFileSync(figures, `${JSON.stringify(explored, null, 1)}\n`);
const text = pageOf(explored);
if (!values.check) writeFileSync(page, text);
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/proofs.md is not what docs/semantics.md and docs/runs/explored.json say: npm run proofs');
  process.exitCode = 1;
}
