// Loads specs once and runs them repeatedly, each time with another active mutant. Communicates with workerProcess.ts, which ends it when
// it hangs.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Test } from './harness.js';
import type { FromWorker, PlannedTest, ToWorker } from './messages.js';
import { runTest, TimeoutError } from './runTest.js';

declare global {
  var __mutant: (number: number) => boolean;
}

type Start = Extract<ToWorker, { readonly type: 'start' }>;

/** A test that is idle for longer without a mutant, or takes more processor time, is not used. */
const longestMs = 5000;
const maxWorkMs = 400;

let active = -1;
let reached = new Uint8Array();
let questions = 0;
let maxQuestions = Infinity;
globalThis.__mutant = (number) => {
  reached[number] = 1;
  questions += 1;
  if (questions > maxQuestions) endLoop();
  return number === active;
};

/**
 * A mutant that makes far more calls than the original does not terminate. Code that catches the error and continues, like a retry, is
 * ended together with the process.
 */
function endLoop(): never {
  if (questions > 2 * maxQuestions) process.exit(1);
  throw new Error('Expected an end');
}

/** The mutants reached since the last call. */
function takeReached(): readonly number[] {
  const numbers = [...reached.keys()].filter((number) => reached[number] === 1);
  reached.fill(0);
  return numbers;
}

// Leftovers of a test may fail at any time: only the tests themselves count.
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);
// Errors without an observer are logged to these.
console.warn = console.error = () => undefined;

const send = (message: FromWorker): void => void process.send?.(message);

async function load(specs: readonly string[]): Promise<readonly Test[]> {
  const harness = await import('./harness.js');
  const tests: Test[] = [];
  for (const spec of specs) {
    harness.collect();
    await import(pathToFileURL(spec).href);
    tests.push(...harness.collected);
  }
  return tests;
}

/** Runs each test twice: a test that is run repeatedly must pass repeatedly. */
async function planOf(tests: readonly Test[]): Promise<readonly PlannedTest[]> {
  const plan: PlannedTest[] = [];
  for (const [index, test] of tests.entries()) {
    const first = await runTest(test, longestMs);
    takeReached();
    questions = 0;
    const from = performance.now();
    const before = process.cpuUsage();
    const failure = first ?? (await runTest(test, longestMs));
    const work = process.cpuUsage(before);
    const planned = { index, reaches: takeReached(), ms: performance.now() - from, questions };
    const workMs = (work.user + work.system) / 1000;
    if (failure === undefined && workMs <= maxWorkMs) plan.push(planned);
    else send({ type: 'leftOut', test: test.name, why: failure instanceof Error ? failure.message : `${workMs.toFixed(0)} ms of work` });
  }
  return plan.sort((a, b) => a.ms - b.ms);
}

/** Tests that have killed recently come first: they are likely to kill neighbouring mutants as well. */
let lately: readonly PlannedTest[] = [];

async function verdictOn(mutant: number, tests: readonly Test[], plan: readonly PlannedTest[]): Promise<void> {
  active = mutant;
  for (const planned of new Set([...lately.filter((one) => plan.includes(one)), ...plan])) {
    const test = tests[planned.index];
    if (test === undefined) continue;
    questions = 0;
    maxQuestions = planned.questions * 3 + 100_000;
    const failure = await runTest(test, 2000 + 10 * planned.ms);
    if (failure === undefined) continue;
    lately = [planned, ...lately.filter((one) => one !== planned)].slice(0, 10);
    const hasEnded = questions <= maxQuestions && !(failure instanceof TimeoutError);
    // Leftovers of a mutant must not kill another one.
    active = -1;
    maxQuestions = Infinity;
    const isSpoilt = !hasEnded || (await runTest(test, longestMs)) !== undefined;
    send({ type: 'verdict', mutant, killedBy: test.name, hasEnded, isSpoilt });
    return;
  }
  send({ type: 'verdict', mutant, hasEnded: true, isSpoilt: false });
}

async function start({ files, specs, plan, mutants }: Start): Promise<void> {
  reached = new Uint8Array(mutants);
  register('./hooks.mjs', import.meta.url, { data: files });
  const tests = await load(specs);
  const whileLoading = takeReached();
  const planned = plan ?? (await planOf(tests));
  const concerned = new Map<number, PlannedTest[]>();
  for (const one of planned) for (const mutant of one.reaches) concerned.set(mutant, [...(concerned.get(mutant) ?? []), one]);
  process.on('message', (message: ToWorker) => {
    if (message.type === 'try') void verdictOn(message.mutant, tests, concerned.get(message.mutant) ?? []);
  });
  send({ type: 'ready', plan: planned, whileLoading });
}

process.once('message', (message: ToWorker) => {
  if (message.type !== 'start') return;
  start(message).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)}\n`);
    process.exit(1);
  });
});
