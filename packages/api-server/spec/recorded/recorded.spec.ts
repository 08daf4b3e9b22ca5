import { describe, expect, it } from '@jest/globals';
import { exploredAnswers } from '../../../../spec/recorded/explored.js';
import { play } from '../../../../spec/recorded/play.js';
import { readScript, requestText, type Scripted } from '../../../../spec/recorded/script.js';
import { embeddedStage, fakesStage, simulatedStage } from './stages.js';

/** The server of 1.38 was the beta.0 with some modules of other versions: docs/server-versions.md. */
const phases = readScript();

/**
 * Whether a server answered so. A version that was compacted may still be in the cache of a newer one, and need not; a future version is answered as by a newer
 * one.
 */
function isRecorded(answer: string, { answers = {} }: Scripted, version: string): boolean {
  if (answer === '410 Expired' || answers[version] === '500') return Object.values(answers).includes(answer);
  return answer === answers[version];
}

/** What is answered otherwise than a real server of that version has. */
function differences(
  answered: readonly (readonly (string | undefined)[])[],
  version: string,
  isAsked: (request: Scripted) => boolean = () => true,
): readonly string[] {
  return phases.flatMap(({ name, requests }, at) =>
    requests
      .map((request, which) => ({ request, answer: answered[at]?.[which] ?? 'no answer' }))
      .filter(({ request, answer }) => isAsked(request) && !isRecorded(answer, request, version))
      .map(({ request, answer }) => `${name}: ${requestText(request)}: ${answer}, not ${request.answers?.[version] ?? '?'}`),
  );
}

/** Contradictory parameters, which no source sends, are not checked by the fakes. */
function isSensible({ answers = {} }: Scripted): boolean {
  return !Object.values(answers).every((answer) => answer === '422 Invalid' || answer === '400 BadRequest');
}

describe('the recorded requests', () => {
  it('are some 200, and have an answer of each real server', () => {
    const requests = phases.flatMap((phase) => phase.requests);
    expect(requests.length).toBeGreaterThan(180);
    for (const { answers = {} } of requests) expect(Object.keys(answers)).toEqual(['1.33', '1.36', '1.37', '1.38']);
  });

  it.each([
    ['1.38', 'current'],
    ['1.37', 'current'],
    ['1.36', 'current'],
    ['1.33', 'gate-off'],
  ] as const)('are answered alike by the embedded server, as by %s', async (version, profile) => {
    const { close, ...stage } = await embeddedStage(profile);
    try {
      expect(differences(await play(stage, phases), version)).toEqual([]);
    } finally {
      await close();
    }
  });

  it.each([
    ['1.37', 'on'],
    ['1.33', 'refused'],
  ] as const)('are answered alike by the fakes, as by %s', async (version, watchList) => {
    expect(differences(await play(fakesStage({ watchList }), phases), version, isSensible)).toEqual([]);
  });

  it('are answered alike by the server of the simulations', async () => {
    expect(differences(await play(simulatedStage(), phases), '1.37', isSensible)).toEqual([]);
  });

  it('are answered alike by the explored server, as far as a reflector sends them', () => {
    const answered = exploredAnswers(phases);
    expect(answered.flat().filter((answers) => answers !== undefined).length).toBeGreaterThan(100);
    const wrong = phases.flatMap(({ name, requests }, at) =>
      requests
        .map((request, which) => ({ request, answers: answered[at]?.[which] }))
        .filter(({ request, answers }) => answers !== undefined && !answers.some((answer) => isRecorded(answer, request, '1.37')))
        .map(({ request, answers }) => `${name}: ${requestText(request)}: ${String(answers)}, not ${request.answers?.['1.37'] ?? '?'}`),
    );
    expect(wrong).toEqual([]);
  });
});
