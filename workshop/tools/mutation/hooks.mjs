// Loads TypeScript, with the mutated code for mutated files, and replaces Jest in specs by the harness.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

/** The code of mutated files, by URL. */
let mutated = new Map();
const harness = new URL('harness.ts', import.meta.url).href;
const fastCheck = new URL('fastCheck.mjs', import.meta.url).href;

export function initialize(files) {
  mutated = new Map(files.map(({ path, code }) => [pathToFileURL(path).href, code]));
}

export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: harness, shortCircuit: true };
  if (specifier === 'fast-check' && context.parentURL !== fastCheck) return { url: fastCheck, shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const code = mutated.get(url) ?? readFileSync(fileURLToPath(url), 'utf8');
  const source = transformSync(code, {
    filename: fileURLToPath(url),
    configFile: false,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  }).code;
  return { format: 'module', source, shortCircuit: true };
}
