import Sequencer from '@jest/test-sequencer';

/** spec/leaks collects all garbage often, which takes four times as long in a worker that has loaded many specs. spec/simulation takes the longest. */
const isEarly = ({ path }) => /[\\/]spec[\\/](?:leaks|simulation)[\\/]/.test(path);

/** Runs these specs first, and the others in Jest's order. */
export default class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isEarly), ...sorted.filter((test) => !isEarly(test))];
  }
}
