import type { Mutant } from '../../../../../spec/exhaustive/mutants.js';

const file = 'packages/controller/src/shards/nextRecord.ts';

/** What would go wrong if it were written like that. */
export const shardsMutants: readonly Mutant[] = [
  {
    ...{ name: 'a slot is taken from a term that is under way', file },
    ...{ from: "target !== owner && (owner === '' || isOver(owner))) give", to: 'target !== owner) give' },
  },
  {
    ...{ name: 'a slot whose owner is over is left', file },
    ...{ from: "(owner === '' || isOver(owner))", to: "owner === ''" },
  },
  {
    ...{ name: 'a slot is given away while work goes on', file },
    ...{ from: "else if (state === 'quiet') give(slot, target);", to: 'else give(slot, target);' },
  },
  {
    ...{ name: 'a slot is given away before its work is ended', file },
    ...{
      from: "} else if (state === 'working') drain.push(slot);\n    else if (state === 'quiet') give",
      to: '} else if (state !== undefined) give',
    },
  },
  {
    ...{ name: 'nothing is drained', file },
    ...{ from: "else if (state === 'working') drain.push(slot);", to: "else if (state === 'working') drain.pop();" },
  },
  {
    ...{ name: 'what is drained is never given away', file },
    ...{ from: "else if (state === 'quiet') give(slot, target);", to: '' },
  },
  {
    ...{ name: 'a slot that is kept after all is not taken up again', file },
    ...{ from: "if (state !== 'working') give(slot, self);", to: '' },
  },
  {
    ...{ name: 'tokens go down', file },
    ...{ from: 'tokens[slot] = epoch;', to: 'tokens[slot] = -epoch;' },
  },
  {
    ...{ name: "nobody is given what is nobody's", file },
    ...{ from: "(owner === '' || isOver(owner))", to: "(owner !== '' && isOver(owner))" },
  },
  {
    ...{ name: 'one that leaves is counted as a member', file },
    ...{ from: 'const members = isLeaving ? others : [...others, self];', to: 'const members = [...others, self];' },
  },
];
