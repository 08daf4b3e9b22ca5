// Mutation testing of a target of workshop/stryker.config.mjs, by night: npm run -s --prefix workshop mutation -- reflector
//
// It prints the score beside that of the tester before, and the survivors that workshop/survivors.json does not accept. With MUTATION_SHARE=0.1, one
// mutant of ten is tried, always the same ones.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Accepted {
  /** The end of the file's path. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>>;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

interface ReportedMutant {
  readonly status: string;
  readonly statusReason?: string;
  readonly replacement?: string;
  /** Met while a module is loaded. */
  readonly static?: boolean;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Tried extends ReportedMutant {
  readonly file: string;
  readonly source: string;
}

const root = join(import.meta.dirname, '../..');
const target = process.argv[2] ?? 'reflector';
const { before, accepted } = JSON.parse(readFileSync(join(root, 'workshop/survivors.json'), 'utf8')) as {
  readonly before: Readonly<Record<string, { readonly killed: number; readonly tried: string }>>;
  readonly accepted: readonly Accepted[];
};

/** A text without what the testers write differently: white space, quotes, and what they put into an empty text. */
const essence = (text: string): string =>
  text
    .replace(/Stryker was here!?/g, 'mutant')
    .replace(/\s+/g, '')
    .replace(/["`]/g, "'");

function textAt(source: string, { start, end }: ReportedMutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines.map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined)).join('\n');
}

/** The mutants of a run of Stryker, by what tells them apart. */
function triedBy(env: Readonly<Record<string, string>>): ReadonlyMap<string, Tried> {
  const { status } = spawnSync(join(root, 'workshop/node_modules/.bin/stryker'), ['run', 'workshop/stryker.config.mjs'], {
    ...{ cwd: root, stdio: 'inherit', env: { ...process.env, ...env, MUTATION_TARGET: target } },
  });
  if (status !== 0) process.exit(status ?? 1);
  const { files } = JSON.parse(readFileSync(join(root, `reports/mutation-${target}.json`), 'utf8')) as Report;
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) => mutants.map((mutant) => ({ ...mutant, file, source })));
  return new Map(all.map((mutant) => [JSON.stringify([mutant.file, mutant.location, mutant.replacement]), mutant]));
}

/** The test of a mutant that hangs ends either by Stryker's limit of time, by its limit of how often a place is reached, or by Jest's limit of time. */
const hasHung = ({ status, statusReason = '' }: ReportedMutant): boolean =>
  status === 'Timeout' || statusReason.includes('Exceeded timeout of');
/** On a busy machine, a healthy one may hang once; what a module computes for later was tried with the tests that load the module alone. */
const isDoubtful = (mutant: ReportedMutant): boolean =>
  (hasHung(mutant) && mutant.statusReason?.startsWith('Hit limit') !== true) || (mutant.status === 'Survived' && mutant.static === true);

function rangeOf({ file, location: { start, end } }: Tried): string {
  const [from, to] = [start, end].map(({ line, column }) => `${String(line)}:${String(column - 1)}`);
  return `${file}:${String(from)}-${String(to)}`;
}

const tries = new Map(triedBy({}));
const doubtful = [...tries].filter(([, mutant]) => isDoubtful(mutant));
if (doubtful.length > 0) {
  const again = triedBy({ MUTATION_SHARE: '1', MUTATION_ONLY: doubtful.map(([, mutant]) => rangeOf(mutant)).join(' ') });
  for (const [key, mutant] of doubtful) tries.set(key, again.get(key) ?? mutant);
}
const survivors: string[] = [];
const count = { killed: 0, hung: 0, accepted: 0, survived: 0 };
for (const mutant of tries.values()) {
  const { status, replacement = '', file, source, location } = mutant;
  if (status === 'Killed' || status === 'Timeout') count[hasHung(mutant) ? 'hung' : 'killed'] += 1;
  if (status !== 'Survived' && status !== 'NoCoverage') continue;
  const from = textAt(source, location);
  const isAccepted = accepted.some(
    (one) => file.endsWith(one.file) && essence(one.from) === essence(from) && essence(one.to) === essence(replacement),
  );
  count[isAccepted ? 'accepted' : 'survived'] += 1;
  if (!isAccepted) survivors.push(`${file}:${String(location.start.line)} \`${from}\` as \`${replacement}\``);
}
const noticed = count.killed + count.hung;
const tried = noticed + count.accepted + count.survived;
const old = before[target];
console.log(survivors.join('\n'));
console.log(
  `${target}: ${((100 * noticed) / tried).toFixed(1)} % of ${String(tried)} noticed, of them ${String(count.hung)} because they hung; ${String(count.accepted)} accepted, ${String(count.survived)} not`,
);
if (old !== undefined) console.log(`before, with another tester: ${String(old.killed)} % of ${old.tried}`);
