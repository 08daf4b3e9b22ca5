// `node --import ./workshop/tools/register-ts-node.mjs workshop/tools/recordRequests.ts [VERSION ...]`: what real API servers answer to the script of spec/recorded.
// They are built from Go modules (`npm run real-api-server`), or with --assets=FOLDER found there.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { play } from '../../spec/recorded/play.js';
import { type Phase, scriptPath } from '../../spec/recorded/script.js';
import { stageOf } from '../../packages/api-server/spec/recorded/stages.js';
import { startRealApiServer } from '@rx-informer/api-server';
import { controlPlane } from './real/controlPlane.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({ options: { assets: { type: 'string' }, gates: { type: 'string' } }, allowPositionals: true });

async function record(assets: string): Promise<void> {
  const gates = values.gates === undefined ? [] : [`--feature-gates=${values.gates}`];
  // etcd is compacted by the script alone.
  const server = await startRealApiServer({ assets, apiServerArgs: ['--etcd-compaction-interval=0', ...gates] });
  try {
    const { phases } = JSON.parse(readFileSync(scriptPath, 'utf8')) as { phases: Phase[] };
    const stage = { ...(await stageOf(server.client)), restart: () => server.restart('SIGKILL'), compact: () => server.compact() };
    const answers = await play(stage, phases);
    const version = server.version.replace(/^v(\d+\.\d+)\..*/, '$1');
    const written = phases.map((phase, at) => ({
      ...phase,
      requests: phase.requests.map((request, which) => ({
        ...request,
        answers: Object.fromEntries(Object.entries({ ...request.answers, [version]: answers[at]?.[which] }).sort()),
      })),
    }));
    writeFileSync(scriptPath, `${JSON.stringify({ phases: written }, null, 1)}\n`);
    process.stdout.write(`${server.version}: ${String(answers.flat().length)} answers\n`);
  } finally {
    await server.close();
  }
}

const folders = values.assets === undefined ? positionals.map((version) => controlPlane(root, version)) : [values.assets];
for (const folder of folders) await record(folder);
