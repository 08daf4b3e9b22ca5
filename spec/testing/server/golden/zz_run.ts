import { replayAll } from './replay.js';
const outcomes = await replayAll();
const unlike = outcomes.filter(({ differing }) => differing.length > 0);
for (const { id, recorded, observed, differing } of unlike)
  console.log(
    `## ${id} [${differing.join(',')}]\n${differing.map((n) => `  real ${n}: ${String(JSON.stringify(recorded[n])).slice(0, 900)}\n  ours ${n}: ${String(JSON.stringify(observed[n])).slice(0, 900)}`).join('\n')}`,
  );
console.log(outcomes.length - unlike.length, 'of', outcomes.length);
process.exit(0);
