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
  readonly replacement?: string;
  readonly location: { readonly start: Place; readonly end: Place };
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

const { status } = spawnSync(join(root, 'workshop/node_modules/.bin/stryker'), ['run', 'workshop/stryker.config.mjs'], {
  ...{ cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_TARGET: target } },
});
if (status !== 0) process.exit(status ?? 1);
const { files } = JSON.parse(readFileSync(join(root, `reports/mutation-${target}.json`), 'utf8')) as Report;
const survivors: string[] = [];
const count = { killed: 0, accepted: 0, survived: 0 };
for (const [file, { source, mutants }] of Object.entries(files)) {
  for (const { status: fate, replacement = '', location } of mutants) {
    if (fate === 'Killed' || fate === 'Timeout') count.killed += 1;
    if (fate !== 'Survived' && fate !== 'NoCoverage') continue;
    const from = textAt(source, location);
    const isAccepted = accepted.some(
      (one) => file.endsWith(one.file) && essence(one.from) === essence(from) && essence(one.to) === essence(replacement),
    );
    count[isAccepted ? 'accepted' : 'survived'] += 1;
    if (!isAccepted) survivors.push(`${file}:${String(location.start.line)} \`${from}\` as \`${replacement}\``);
  }
}
const tried = count.killed + count.accepted + count.survived;
const old = before[target];
console.log(survivors.join('\n'));
console.log(
  `${target}: ${((100 * count.killed) / tried).toFixed(1)} % of ${String(tried)} killed, ${String(count.accepted)} accepted, ${String(count.survived)} not`,
);
if (old !== undefined) console.log(`before, with another tester: ${String(old.killed)} % of ${old.tried}`);
