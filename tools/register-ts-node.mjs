// Lets Node run TypeScript files directly, without type checks: node --import ./tools/register-ts-node.mjs file.ts
import { register } from 'node:module';

register('ts-node/esm/transpile-only', import.meta.url);
process.setSourceMapsEnabled(true);
