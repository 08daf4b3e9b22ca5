import Sequencer from '@jest/test-sequencer';

/**
 * spec/leaks collects all garbage often, which takes four times as long in a worker that has loaded many specs. The others take the longest, and a
 * worker that begins with one at the end leaves the others without work.
 */
const isEarly = ({ path }) =>
  /[\\/]spec[\\/]([\w/\\]+[\\/])?(?:leaks|simulation|exhaustive)[\\/]|createManager|watchGuarantees|traffic\.property/.test(path);

/** A number for a path that differs with every seed. */
function placeOf(path, seed) {
  let hash = seed | 0;
  for (let at = 0; at < path.length; at += 1) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Runs these specs first, and the others in Jest's order; with TEST_ORDER=<a number>, all in an order that is drawn with it. */
export default class extends Sequencer {
  sort(tests) {
    const seed = Number(process.env.TEST_ORDER ?? Number.NaN);
    if (!Number.isNaN(seed)) return [...tests].sort((one, other) => placeOf(one.path, seed) - placeOf(other.path, seed));
    const sorted = super.sort(tests);
    return [...sorted.filter(isEarly), ...sorted.filter((test) => !isEarly(test))];
  }
}
