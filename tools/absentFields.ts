/**
 * Takes one part away from a valid object of every built-in kind, for each of its parts, and compares what a real API server and the embedded one say.
 *
 *   node --import ./tools/register-ts-node.mjs tools/absentFields.ts            prints the differences
 *   node --import ./tools/register-ts-node.mjs tools/absentFields.ts --write    keeps the answers of the real one for the specs
 *
 * The programs etcd and kube-apiserver have to be in the folder of KUBEBUILDER_ASSETS or on the PATH.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { startRealApiServer } from '../src/testing/real/startRealApiServer.js';
import type { RunningApiServer } from '../src/testing/runningApiServer.js';
import { startApiServer } from '../src/testing/startApiServer.js';
import { absentAnswers, type AbsentAnswer } from './absent/answers.js';
import { deriveRules, type Schemas } from './absent/deriveRules.js';
import type { Value } from './absent/partsOf.js';

const source = new URL('schemas/wholeObjects.yaml', import.meta.url);
const kept = new URL('../spec/testing/server/golden/absent-1.36.jsonl', import.meta.url);

function comparable({ code, reason, message, causes }: AbsentAnswer): string {
  return JSON.stringify([code, reason, message, causes?.map((cause) => JSON.stringify(cause)).sort()]);
}

function textOf({ code, reason, message, causes = [] }: AbsentAnswer): string {
  return `${String(code)} ${reason ?? ''} ${message ?? ''} ${causes.map(([type, field, text]) => `${type} ${field}: ${text}`).join(' | ')}`;
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false }, kept: { type: 'boolean', default: false }, rules: { type: 'boolean', default: false } } });
const objects = parseAllDocuments(readFileSync(source, 'utf8')).map((document) => document.toJS() as Value);
const ask = async (server: RunningApiServer): Promise<readonly AbsentAnswer[]> =>
  absentAnswers(server, objects).finally(() => server.close());

// Without the controller of service accounts no pod could be made.
const real = values.kept
  ? readFileSync(kept, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AbsentAnswer)
  : await ask(await startRealApiServer({ apiServerArgs: ['--disable-admission-plugins=ServiceAccount'] }));
if (values.write) writeFileSync(kept, `${real.map((answer) => JSON.stringify(answer)).join('\n')}\n`);
if (values.rules) {
  const schemas = JSON.parse(readFileSync(new URL('schemas/kubernetes-1.36.json', import.meta.url), 'utf8')) as Schemas;
  writeFileSync(new URL('schemas/absentFields-1.36.json', import.meta.url), `${JSON.stringify(deriveRules(schemas, objects, real), undefined, 2)}\n`);
}
const embedded = await ask(await startApiServer());
const unlike = real.flatMap((answer, at) => {
  const other = embedded[at];
  return other === undefined || comparable(other) === comparable(answer) ? [] : [[answer, other] as const];
});
for (const [answer, other] of unlike) {
  console.log(`${answer.of}: ${answer.path} ${answer.how}\n  real      ${textOf(answer)}\n  embedded  ${textOf(other)}`);
}
const whole = real.filter(({ how, code }) => how === 'whole' && code >= 300);
console.log(`${String(whole.length)} objects are refused as they are`);
console.log(`${String(real.length - unlike.length)} of ${String(real.length)} answered alike`);
