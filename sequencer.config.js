import Sequencer from '@jest/test-sequencer';

/** Collects all garbage again and again, which takes four times as long in a worker that holds the modules of many specs; or takes the longest. */
const isEarly = ({ path }) => /[\\/]spec[\\/](?:leaks|simulation)[\\/]/.test(path);

/** The order of the specs: Jest's, behind these. */
export default class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isEarly), ...sorted.filter((test) => !isEarly(test))];
  }
}
