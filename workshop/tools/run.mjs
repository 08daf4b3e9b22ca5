// Runs a tool of this folder, or another TypeScript program by its path from here: node workshop/tools/run.mjs build
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, ...rest] = process.argv.slice(2);
if (name === undefined) throw new TypeError('Expected the name of a tool, got none');
const file = join(import.meta.dirname, `${name}.ts`);
process.argv.splice(1, process.argv.length - 1, file, ...rest);
// Tools read and write by paths from the root, wherever npm has started this.
process.chdir(join(import.meta.dirname, '../..'));
// Programs that a tool starts with its own flags are TypeScript, too.
process.execArgv.push('--import', pathToFileURL(join(import.meta.dirname, 'register-ts-node.mjs')).href);
await import('./register-ts-node.mjs');
await import(pathToFileURL(file).href);
