// Runs a tool of this folder, or another TypeScript program by its path from here: node workshop/tools/run.mjs build
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './register-ts-node.mjs';

const [name, ...rest] = process.argv.slice(2);
if (name === undefined) throw new TypeError('Expected the name of a tool, got none');
const file = join(import.meta.dirname, `${name}.ts`);
process.argv.splice(1, process.argv.length - 1, file, ...rest);
await import(pathToFileURL(file).href);
