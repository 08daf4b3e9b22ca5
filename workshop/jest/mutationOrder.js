import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { run } from './mutationEnvironment.js';

/** What the first run saw: the names of the tests in each file, and how long all of them took. */
const seenIn = (config) => join(config.rootDir, 'reports/seen.json');

/** Runs only files with a test that reaches the mutant, the quickest first. Stryker chooses tests by their names, for which Jest would load every file. */
export default class extends Sequencer {
  constructor(options) {
    super(options);
    this.pattern = options.globalConfig.testNamePattern;
  }

  sort(tests) {
    run.hasFailed = false;
    if (!this.pattern || tests.length === 0) return tests;
    const names = new RegExp(this.pattern, 'i');
    const seen = JSON.parse(readFileSync(seenIn(tests[0].context.config), 'utf8'));
    const reached = tests.filter(({ path }) => seen[path].names.some((name) => names.test(name)));
    return reached.sort((one, other) => seen[one.path].ms - seen[other.path].ms);
  }

  cacheResults(tests, { testResults }) {
    if (this.pattern || tests.length === 0) return;
    const seen = testResults.map(({ testFilePath, testResults: all, perfStats }) => [
      testFilePath,
      { names: all.map(({ fullName }) => fullName), ms: perfStats.end - perfStats.start },
    ]);
    writeFileSync(seenIn(tests[0].context.config), JSON.stringify(Object.fromEntries(seen)));
  }
}
