// Runs the example of one language in examples/other-languages against a server: a line of JSON says whether it prints what it should.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const [tool, ...args] = process.argv.slice(2, -1);
const env = { ...process.env, KUBECONFIG: resolve(process.argv.at(-1)) };
const { stdout = '', stderr = '', error } = spawnSync(tool, args, { env, encoding: 'utf8' });
const passed = stdout.trim() === 'ADDED green';
const why = error?.message ?? `printed ${JSON.stringify(stdout)} ${stderr.slice(-300)}`;
console.log(JSON.stringify({ case: 'prints what it watches', passed, ...(!passed && { why }) }));
