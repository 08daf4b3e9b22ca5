import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { decodeProtobuf } from '../../../packages/api-server/src/protobuf/decodeProtobuf.js';
import { hasGo } from './clientGo.js';

const sources = fileURLToPath(new URL('../../tools/clients/go', import.meta.url));

/** Kinds that are never sent as a body to an API server. */
const unsent = /Options\.pb$|WatchEvent|AdmissionReview|ImageReview|APIGroupDiscovery/;

function apiFolder(): string {
  execFileSync('go', ['mod', 'download', 'k8s.io/api'], { cwd: sources });
  return execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/api'], { cwd: sources, encoding: 'utf8' }).trim();
}

/** Removes empty values: Go writes `null` for an unset time or list, and `{}` for an unset message. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([name, content]) => [name, withoutNothing(content)] as const)
    .filter(([, content]) => content !== null && !(typeof content === 'object' && !Array.isArray(content) && !hasNames(content)));
  return Object.fromEntries(kept);
}

function hasNames(value: object | undefined): boolean {
  return Object.keys(value ?? {}).length > 0;
}

(hasGo ? describe : describe.skip)("decodeProtobuf, next to Kubernetes' own samples", () => {
  const folder = `${hasGo ? apiFolder() : ''}/testdata/HEAD`;
  const samples = hasGo
    ? readdirSync(folder).filter((name) => (name.endsWith('.pb') && !unsent.test(name)) || /DeleteOptions\.pb$/.test(name))
    : [];

  it('has many of them', () => expect(samples.length).toBeGreaterThan(160));

  it.each(samples)('makes of %s what its JSON says (row 108)', (name) => {
    const json: unknown = JSON.parse(readFileSync(`${folder}/${name.replace(/pb$/, 'json')}`, 'utf8'));
    expect(withoutNothing(decodeProtobuf(readFileSync(`${folder}/${name}`)))).toEqual(withoutNothing(json));
  });
});
