import { expect as jestExpect } from 'expect';
import { ModuleMocker } from 'jest-mock';

type Work = () => unknown;

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly beforeEach: Work[];
  readonly afterEach: Work[];
  readonly beforeAll: Work[];
  readonly afterAll: Work[];
}

/** A test, and its suite. */
export interface Test {
  readonly name: string;
  readonly work: Work;
  readonly suite: Suite;
}

const suiteOf = (name: string, parent?: Suite): Suite => ({ name, parent, beforeEach: [], afterEach: [], beforeAll: [], afterAll: [] });

let current = suiteOf('');

/** The tests of the spec imported last. */
export let collected: Test[] = [];

/** Starts to collect another spec. */
export function collect(): void {
  current = suiteOf('');
  collected = [];
}

const texts = (title: string, row: readonly unknown[]): string => `${title} ${String(row[0]).slice(0, 60)}`;

type Body = (...args: readonly unknown[]) => unknown;
type Each = (rows: readonly unknown[]) => (title: string, work: Body) => void;
type Skipped = (() => undefined) & { readonly each: () => () => undefined };

function eachOf(define: (title: string, work: Body, args: readonly unknown[]) => void): Each {
  return (rows) => (title, work) => {
    for (const row of rows) {
      const args = Array.isArray(row) ? (row as readonly unknown[]) : [row];
      define(texts(title, args), work, args);
    }
  };
}

function defineTest(title: string, work: Work): void {
  const names: string[] = [title];
  for (let suite: Suite | undefined = current; suite !== undefined; suite = suite.parent) names.unshift(suite.name);
  collected.push({ name: names.join(' ').trim(), work, suite: current });
}

function defineSuite(name: string, define: Work): void {
  const outer = current;
  current = suiteOf(name, outer);
  define();
  current = outer;
}

const skipped: Skipped = Object.assign(() => undefined, { each: () => () => undefined });

export const it: ((title: string, work: Work) => void) & { readonly each: Each; readonly skip: Skipped } = Object.assign(defineTest, {
  each: eachOf((title, work, args) => defineTest(title, () => work(...args))),
  skip: skipped,
});
export const test: typeof it = it;
export const describe: ((name: string, define: Work) => void) & { readonly each: Each; readonly skip: Skipped } = Object.assign(
  defineSuite,
  {
    each: eachOf((title, define, args) => defineSuite(title, () => define(...args))),
    skip: skipped,
  },
);
export const beforeEach = (work: Work): unknown => current.beforeEach.push(work);
export const afterEach = (work: Work): unknown => current.afterEach.unshift(work);
export const beforeAll = (work: Work): unknown => current.beforeAll.push(work);
export const afterAll = (work: Work): unknown => current.afterAll.push(work);
export const expect: typeof jestExpect = jestExpect;
export const jest: ModuleMocker = new ModuleMocker(globalThis);
