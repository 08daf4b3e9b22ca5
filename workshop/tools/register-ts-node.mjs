// Lets Node run TypeScript files directly, without type checks, with the packages of this repository from their sources:
// node --import ./workshop/tools/register-ts-node.mjs file.ts
import { register } from 'node:module';

register('ts-node/esm/transpile-only', import.meta.url);
register('./sourceHooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
