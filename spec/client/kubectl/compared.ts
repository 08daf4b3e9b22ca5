import { readFileSync } from 'node:fs';
import { connectCases } from './cases.js';
import type { ConnectCase } from './connectCase.js';
import { differences } from './differences.js';
import { outcomeHere, type Outcome } from './outcome.js';
import type { World } from './world.js';

/** What kubectl was seen to do, a case a line; the first line says which kubectl. */
export const recordedFile: URL = new URL('recorded.txt', import.meta.url);

/** The first words of the cases' names. */
export const groups: readonly string[] = [...new Set(connectCases.map(({ name }) => name.split(':')[0] ?? ''))];

export function casesOf(group: string): readonly ConnectCase[] {
  return connectCases.filter(({ name }) => name.startsWith(`${group}:`));
}

interface Recording {
  readonly version: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

export function recording(): Recording {
  const [version = '', ...lines] = readFileSync(recordedFile, 'utf8').trim().split('\n');
  return { version, outcomes: new Map(lines.map((line) => JSON.parse(line) as [string, Outcome])) };
}

export function recordingText(version: string, outcomes: ReadonlyMap<string, Outcome>): string {
  return [version, ...[...outcomes].map((entry) => JSON.stringify(entry))].join('\n') + '\n';
}

/** A case in which kubectl and this library did not do the same. */
export interface Differing {
  readonly name: string;
  readonly kubectl: Outcome | undefined;
  readonly here: Outcome;
}

/** Gives cases to this library, and returns those that differ from kubectl. */
export async function differing(
  world: World,
  cases: readonly ConnectCase[],
  kubectl: (given: ConnectCase) => Promise<Outcome | undefined>,
): Promise<readonly Differing[]> {
  const found: Differing[] = [];
  for (const given of cases) {
    const theirs = await kubectl(given);
    const here = await outcomeHere(world, given);
    if (JSON.stringify(theirs) !== JSON.stringify(here)) found.push({ name: given.name, kubectl: theirs, here });
  }
  return found;
}

/** Whether docs/differences.md has a row for a case. */
export function isDocumented(name: string): boolean {
  return differences.some(({ cases }) => cases.test(name));
}
