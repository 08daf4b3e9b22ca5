import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { reflectorExplorations } from '../../../spec/exhaustive/reflector/explorations.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${root}workshop/reports/proofs.md`, 'utf8');

describe('workshop/reports/proofs.md', () => {
  it('names every clause of docs/semantics.md', () => {
    const clauses = [...readFileSync(`${root}docs/semantics.md`, 'utf8').matchAll(/^\*\*(\d+\.\d+)\*\*/gm)].map(([, number]) => number);
    expect(clauses.length).toBeGreaterThan(40);
    for (const number of clauses) expect(page).toContain(`\n| ${number} |`);
  });

  it('has the depths to which the specs explore', () => {
    for (const [name, { words, depth }] of Object.entries(reflectorExplorations)) {
      expect(page).toContain(`| reflector: ${name} | ${words} | ${depth} moves |`);
    }
  });
});
