import { relative } from 'node:path';
import { apart, everyDay } from './houses.js';

const houses = Object.entries({ ...everyDay, ...apart });
/** The longest files that the end of a run names. */
const slowest = 10;
const minutesAndSeconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

/** Progress by package, the failures in full, and at the end what the explorations reached, and which files took the longest. */
export default class {
  constructor() {
    this.projects = new Map();
    this.files = [];
    this.reached = [];
    this.begun = Date.now();
  }

  projectOf(test) {
    const file = relative(test.context.config.rootDir, test.path);
    // Those apart are within others, and come last.
    const [name] = houses.findLast(([, folder]) => file.startsWith(`${folder}/`));
    if (!this.projects.has(name)) this.projects.set(name, { name, files: 0, done: 0, passed: 0, failed: 0, skipped: 0, ms: 0 });
    return this.projects.get(name);
  }

  onRunStart(results) {
    console.log(`${results.numTotalTestSuites} files of specs`);
    this.timer = globalThis.setInterval(() => {
      const done = [...this.projects.values()].map(({ name, done: files }) => `${name} ${files}`).join(', ');
      console.log(
        `  after ${Math.round((Date.now() - this.begun) / 1_000)} s: ${this.files.length} of ${results.numTotalTestSuites} files (${done})`,
      );
    }, 20_000);
  }

  onTestFileResult(test, result) {
    const project = this.projectOf(test);
    const { numPassingTests, numFailingTests, numPendingTests, perfStats, testFilePath } = result;
    const file = testFilePath.slice(test.context.config.rootDir.length + 1);
    const ms = perfStats.end - perfStats.start;
    project.done += 1;
    project.passed += numPassingTests;
    project.failed += numFailingTests + (result.testExecError === undefined || numFailingTests > 0 ? 0 : 1);
    project.skipped += numPendingTests;
    project.ms += ms;
    this.files.push({ file, ms });
    for (const { message } of result.console ?? []) if (message.startsWith('reached: ')) this.reached.push(message);
    if (result.failureMessage) {
      console.log(`FAILED ${file}`);
      console.log(result.failureMessage);
      for (const { type, message } of result.console ?? []) console.log(`${type}: ${message}`);
    }
  }

  onRunComplete(_, results) {
    globalThis.clearInterval(this.timer);
    if (this.reached.length > 0) console.log(['', ...this.reached.sort()].join('\n'));
    const longest = this.files.sort((one, other) => other.ms - one.ms).slice(0, slowest);
    console.log(['', 'The longest files:', ...longest.map(({ file, ms }) => `${minutesAndSeconds(ms).padStart(9)}  ${file}`)].join('\n'));
    const rows = [...this.projects.values()].map(({ name, done, passed, failed, skipped, ms }) =>
      [
        name.padEnd(12),
        `${done} files`.padStart(10),
        `${passed} passed`.padStart(13),
        `${failed} failed`.padStart(10),
        `${skipped} skipped`.padStart(11),
        minutesAndSeconds(ms).padStart(9),
      ].join(' '),
    );
    console.log(['', ...rows].join('\n'));
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    console.log(
      `\n${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed, in ${minutesAndSeconds(Date.now() - this.begun)}`,
    );
  }
}
