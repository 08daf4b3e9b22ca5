// Loads specs once and runs them again and again, each time with another mutant active. Speaks with workerProcess.ts, which ends it when it hangs.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Test } from './harness.js';
import type { FromWorker, PlannedTest, ToWorker } from './messages.js';
import { runTest } from './runTest.js';

declare global {
  var __mutant: (number: number) => boolean;
}

type Start = Extract<ToWorker, { readonly type: 'start' }>;

let active = -1;
let reached = new Set<number>();
let questions = 0;
let mostQuestions = Infinity;
globalThis.__mutant = (number) => {
  reached.add(number);
  questions += 1;
  // Most mutants that would never end are ended here.
  if (questions > mostQuestions) throw new Error('Expected an end');
  return number === active;
};
// What a test has left behind may fail at any time: only the tests themselves count.
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);
// What fails without anybody to tell goes there.
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

/** Runs each test twice, as what runs again and again must pass again and again. */
async function planOf(tests: readonly Test[]): Promise<readonly PlannedTest[]> {
  const plan: PlannedTest[] = [];
  for (const [index, test] of tests.entries()) {
    const first = await runTest(test);
    reached = new Set();
    questions = 0;
    const from = performance.now();
    const failure = first ?? (await runTest(test));
    if (failure === undefined) plan.push({ index, reaches: [...reached], ms: performance.now() - from, questions });
    else send({ type: 'leftOut', test: test.name, why: failure instanceof Error ? failure.message : JSON.stringify(failure) });
  }
  return plan.sort((a, b) => a.ms - b.ms);
}

async function verdictOn(mutant: number, tests: readonly Test[], plan: readonly PlannedTest[]): Promise<void> {
  active = mutant;
  for (const planned of plan) {
    const test = tests[planned.index];
    if (test === undefined) continue;
    questions = 0;
    mostQuestions = planned.questions * 20 + 200_000;
    if ((await runTest(test)) !== undefined) {
      send({ type: 'verdict', mutant, killedBy: test.name });
      return;
    }
  }
  send({ type: 'verdict', mutant });
}

async function start({ files, specs, plan }: Start): Promise<void> {
  register('./hooks.mjs', import.meta.url, { data: files });
  const tests = await load(specs);
  const loaded = [...reached];
  const planned = plan ?? (await planOf(tests));
  const concerned = new Map<number, PlannedTest[]>();
  for (const one of planned) for (const mutant of one.reaches) concerned.set(mutant, [...(concerned.get(mutant) ?? []), one]);
  process.on('message', (message: ToWorker) => {
    if (message.type === 'try') void verdictOn(message.mutant, tests, concerned.get(message.mutant) ?? []);
  });
  send({ type: 'ready', plan: planned, whileLoading: loaded });
}

process.once('message', (message: ToWorker) => {
  if (message.type !== 'start') return;
  start(message).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)}\n`);
    process.exit(1);
  });
});
