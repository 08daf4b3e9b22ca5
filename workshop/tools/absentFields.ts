/**
 * Removes each part of a valid object of every built-in kind, one at a time, and compares the answers of a real API server with those of
 * the embedded one:
 *
 *   node --import ./workshop/tools/register-ts-node.mjs workshop/tools/absentFields.ts            prints the differences to what a real one has said
 *   node --import ./workshop/tools/register-ts-node.mjs workshop/tools/absentFields.ts --real     asks a real one again, keeps its answers, and derives workshop/tools/schemas/absentFields-1.36.json;
 *                                                                               workshop/tools/packSchemas.ts is next
 *
 * `--real` needs etcd and kube-apiserver in the folder of KUBEBUILDER_ASSETS or on the PATH.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type RunningApiServer, startApiServer, startRealApiServer } from '@rx-informer/api-server';
import { absentAnswers, isAlike, wholeObjects, type AbsentAnswer } from './absent/answers.js';
import { deriveRules, type Schemas } from './absent/deriveRules.js';
import { keepAnswers, keptAnswers } from './absent/keptAnswers.js';

const { values } = parseArgs({ options: { real: { type: 'boolean', default: false } } });
const objects = wholeObjects();
const ask = async (server: RunningApiServer): Promise<readonly AbsentAnswer[]> =>
  absentAnswers(server, objects).finally(() => server.close());

if (values.real) {
  // Without kube-controller-manager there are no service accounts, which pods require.
  const answers = await ask(await startRealApiServer({ apiServerArgs: ['--disable-admission-plugins=ServiceAccount'] }));
  keepAnswers(answers);
  const schemas = JSON.parse(readFileSync(new URL('schemas/kubernetes-1.36.json', import.meta.url), 'utf8')) as Schemas;
  const rules = deriveRules(schemas, objects, answers);
  writeFileSync(new URL('schemas/absentFields-1.36.json', import.meta.url), `${JSON.stringify(rules, undefined, 2)}\n`);
}

function textOf({ code, reason = '', message = '', causes = [] }: AbsentAnswer): string {
  return `${String(code)} ${reason} ${message} ${causes.map(([type, field, text]) => `${type} ${field}: ${text}`).join(' | ')}`;
}

const real = keptAnswers();
const embedded = await ask(await startApiServer());
const pairs = real.flatMap((answer, at) => (embedded[at] === undefined ? [] : [[answer, embedded[at]] as const]));
const unlike = pairs.filter(([answer, other]) => !isAlike(answer, other));
for (const [answer, other] of unlike) {
  console.log(`${answer.of}: ${answer.path} ${answer.how}\n  real      ${textOf(answer)}\n  embedded  ${textOf(other)}`);
}
console.log(`${String(pairs.length - unlike.length)} of ${String(real.length)} answered alike`);
