import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.js';
import type { MutatedFile, PlannedTest } from './messages.js';
import type { Mutant } from './mutant.js';
import type { Target } from './targets.js';
import type { Survivor, TargetResult } from './targetResult.js';
import { type Verdict, WorkerProcess } from './workerProcess.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

function filesIn(folder: string, path: string, suffix: string): readonly string[] {
  const whole = join(root, folder, path);
  if (statSync(whole).isFile()) return [join(folder, path)];
  const names = readdirSync(whole, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(suffix)).map((name) => join(folder, path, name));
}

/** Draws a number of mutants at random, reproducibly. */
function draw(mutants: readonly Mutant[], count: number, seed: string): readonly Mutant[] {
  let state = Number.parseInt(seed, 10) | 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  return mutants
    .map((mutant) => ({ mutant, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant)
    .sort((a, b) => a.number - b.number);
}

/** The timeout for loops without a call of `__mutant`, which the limit of calls does not end. */
const patienceMs = 5000;

/** The mutants and the specs of a target. */
class Campaign {
  hanging = 0;
  private readonly files: MutatedFile[] = [];
  private readonly specs: readonly string[];
  private readonly mutants: number;
  private plan: readonly PlannedTest[] = [];
  private whileLoading: ReadonlySet<number> = new Set();
  private worker: WorkerProcess | undefined;

  constructor(files: readonly MutatedFile[], specs: readonly string[], mutants: number) {
    this.mutants = mutants;
    this.files.push(...files);
    this.specs = specs;
  }

  async begin(): Promise<number> {
    const { files, specs, mutants } = this;
    this.worker = new WorkerProcess({ files, specs, mutants });
    const { plan, whileLoading } = await this.worker.ready();
    this.plan = plan;
    this.whileLoading = new Set(whileLoading);
    return plan.length;
  }

  /** Such a mutant would need a process of its own. */
  isReachedInLoadingOnly(mutant: Mutant): boolean {
    return this.whileLoading.has(mutant.number) && !this.isReached(mutant);
  }

  isReached({ number }: Mutant): boolean {
    return this.plan.some(({ reaches }) => reaches.includes(number));
  }

  async isKilled({ number }: Mutant): Promise<boolean> {
    const concerned = this.plan.filter(({ reaches }) => reaches.includes(number));
    if (concerned.length === 0) return false;
    const costMs = concerned.reduce((sum, { ms }) => sum + ms, 0);
    const patience = patienceMs + 10 * costMs;
    const first = await this.try(number, patience);
    // If the test also fails without the mutant, the worker may have been damaged before: try again.
    const verdict = first?.isSpoilt === true && first.hasEnded ? await this.try(number, patience) : first;
    if (verdict?.hasEnded !== true) this.hanging += 1;
    return verdict === undefined || verdict.killedBy !== undefined;
  }

  private async try(number: number, patience: number): Promise<Verdict | undefined> {
    const { files, specs, plan, mutants } = this;
    if (this.worker === undefined) {
      this.worker = new WorkerProcess({ files, specs, plan, mutants });
      await this.worker.ready();
    }
    const verdict = await this.worker.try(number, patience);
    if (verdict === undefined || verdict.isSpoilt) await this.end();
    return verdict;
  }

  async end(): Promise<void> {
    await this.worker?.end();
    this.worker = undefined;
  }
}

interface RunOptions {
  /** Only files whose paths contain this text. */
  readonly only: string;
  /** The seed for drawing mutants. */
  readonly seed: string;
  readonly onSurvivor: (survivor: Survivor) => void;
}

/** Tries the mutants of a target. */
export async function runTarget({ name, sources, specs, sample }: Target, { only, seed, onSurvivor }: RunOptions): Promise<TargetResult> {
  const mutants: Mutant[] = [];
  const stale: string[] = [];
  const files = sources
    .flatMap((source) => filesIn('src', source, '.ts'))
    .map((file) => {
      const instrumented = instrument(file, readFileSync(join(root, file), 'utf8'), mutants.length);
      mutants.push(...instrumented.mutants);
      stale.push(...instrumented.stale.map(({ line, text }) => `${file}:${String(line)}: ${text}`));
      return { path: join(root, file), code: instrumented.code };
    });
  const wanted = mutants.filter(({ file }) => file.includes(only));
  const campaign = new Campaign(
    files,
    specs.flatMap((spec) => filesIn('spec', spec, '.spec.ts')).map((spec) => join(root, spec)),
    mutants.length,
  );
  const tests = await campaign.begin();
  const triable = wanted.filter((mutant) => !campaign.isReachedInLoadingOnly(mutant));
  const drawn = sample === undefined ? triable : draw(triable, sample, seed);
  const survivors: Survivor[] = [];
  for (const [at, mutant] of drawn.entries()) {
    if (!(await campaign.isKilled(mutant))) {
      const { number, ...rest } = mutant;
      const survivor = { ...rest, isReached: campaign.isReached(mutant) };
      survivors.push(survivor);
      onSurvivor(survivor);
    }
    if (at % 100 === 99) console.error(`${name}: ${String(at + 1)} of ${String(drawn.length)}, ${String(survivors.length)} alive`);
  }
  await campaign.end();
  return {
    name,
    build: execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    seed,
    all: wanted.length,
    untried: wanted.length - triable.length,
    tried: drawn.length,
    killed: drawn.length - survivors.length,
    hanging: campaign.hanging,
    tests,
    survivors,
    stale,
  };
}
