import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectCases } from '../../../spec/client/kubectl/cases.js';
import { casesOf, differing, groups, isDocumented, recordedFile, recordingText } from '../../../spec/client/kubectl/compared.js';
import type { ConnectCase } from '../../../spec/client/kubectl/connectCase.js';
import { outcomeOfKubectl, type Outcome } from '../../../spec/client/kubectl/outcome.js';
import { World } from '../../../spec/client/kubectl/world.js';
import { kubectlPrograms, type KubectlProgram } from '../../../spec/e2e/kubectl.js';

/** Google Cloud's kubectl asks the server for its version, and then calls one beside it. */
function withoutDispatcher({ path, version }: KubectlProgram): KubectlProgram {
  const onPath = (process.env['PATH'] ?? '').split(':').map((place) => `${place}/${path}`);
  const found = [path, ...onPath].find((place) => place.includes('/') && existsSync(place)) ?? path;
  const [, minor = ''] = /^v(1\.\d+)/.exec(version) ?? [];
  const beside = existsSync(found) ? `${realpathSync(found)}.${minor}` : '';
  return { path: existsSync(beside) ? beside : path, version };
}

const programs = kubectlPrograms().map(withoutDispatcher);
/** `RECORD=1` writes what the newest kubectl does, for the specs that run without one. */
const records = process.env['RECORD'] === '1';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

describe('connecting beside kubectl', () => {
  if (programs.length === 0) it.todo('is not compared here: there is no kubectl, neither in the PATH nor in KUBECTLS');

  // All of one kubectl's cases take some minutes.
  it.each(programs.flatMap(({ path, version }) => groups.map((group) => [version, group, path] as const)))(
    'does what kubectl %s does, but for what docs/differences.md says: %s',
    async (_, group, path) => {
      const found = await differing(world, casesOf(group), (given) => outcomeOfKubectl(world, given, path));
      expect(found.filter(({ name }) => !isDocumented(name))).toEqual([]);
    },
    600_000,
  );

  const newest = programs.at(-1);
  if (records && newest !== undefined) {
    it('records the newest', async () => {
      const outcomes = new Map<string, Outcome>();
      const note = async (given: ConnectCase): Promise<void> =>
        void outcomes.set(given.name, await outcomeOfKubectl(world, given, newest.path));
      for (const given of connectCases) await note(given);
      writeFileSync(recordedFile, recordingText(newest.version, outcomes));
      expect(outcomes.size).toBe(connectCases.length);
    }, 1_200_000);
  }
});
