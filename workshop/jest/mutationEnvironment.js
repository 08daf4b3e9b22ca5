import SpecEnvironment from './specEnvironment.js';

/** What the files of one run share. A mutant is killed by one test, and Jest ends a run early only together with its process. */
export const run = { hasFailed: false };

/** These change the sources themselves, by texts that are not there once Stryker has put its mutants into them. */
const changesSources = /^(?:would find it if|had a defect)/;

/** That of specs, which skips what comes after a failure. */
export default class extends SpecEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') run.hasFailed = true;
    if (name === 'test_start' && (run.hasFailed || changesSources.test(test.name))) test.mode = 'skip';
  }
}
