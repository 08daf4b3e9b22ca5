import { beforeAll, describe, expect } from '@jest/globals';
import { startApiServer } from '../../src/startApiServer.js';
import { absentAnswers, isAlike, wholeObjects, type AbsentAnswer } from '../../../../workshop/tools/absent/answers.js';
import { keptAnswers } from '../../../../workshop/tools/absent/keptAnswers.js';
import { itEmbedded } from '../support/target.js';
import { isDeep } from '../../../../spec/tier.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

/** `npm test` takes one of three objects. */
const step = isDeep ? 1 : 3;
/** How many answers have to be alike. */
const fewestAlike = isDeep ? 3_355 : 1_338;

/** The only kind whose objects get their names from the server. */
const named = 'v1 LimitRange whole';

function nameOf({ of, path, how }: AbsentAnswer): string {
  return `${of}: ${path} ${how}`;
}

describe('objects of built-in kinds without one of their parts', () => {
  let pairs: readonly (readonly [real: AbsentAnswer, embedded: AbsentAnswer | undefined])[] = [];
  beforeAll(async () => {
    const server = await startApiServer();
    const objects = wholeObjects().filter((_, at) => at % step === 0);
    const embedded = await absentAnswers(server, objects).finally(() => server.close());
    const asked = new Set(embedded.map(({ of }) => of));
    pairs = keptAnswers()
      .filter(({ of }) => asked.has(of))
      .map((real, at) => [real, embedded[at]] as const);
  }, timeoutMs);

  itEmbedded('are those that a real server was asked about', () => {
    expect(new Set(keptAnswers().map(({ of }) => of)).size).toBe(wholeObjects().length);
    expect(pairs.map(([, embedded]) => embedded && nameOf(embedded))).toEqual(pairs.map(([real]) => nameOf(real)));
  });

  itEmbedded('are accepted where a real server accepts them', () => {
    const refused = pairs.filter(([real, embedded]) => real.code === 201 && real.of !== named && embedded?.code !== 201);
    expect(refused.map(([real]) => nameOf(real))).toEqual([]);
  });

  itEmbedded('are refused for the same fields, mostly', () => {
    const alike = pairs.filter(([real, embedded]) => embedded !== undefined && isAlike(real, embedded));
    expect(alike.length).toBeGreaterThanOrEqual(fewestAlike);
  });
});
