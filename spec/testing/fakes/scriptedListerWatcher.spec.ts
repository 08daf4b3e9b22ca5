import { describe, expect, it } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import type { FakeRequest } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { scriptedListerWatcher } from '../../../src/testing/fakes/scriptedListerWatcher.js';

const page = (name: string): { items: string[] } => ({ items: [name] });

function error(problem: unknown): never {
  throw problem;
}

describe('scriptedListerWatcher', () => {
  it('gives one answer after another, when it is subscribed to, and then none', () => {
    const source = scriptedListerWatcher<string>({ lists: [of(page('a')), of(page('b'))] });
    const unused = source.list({});
    const answers: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1)
      source.list({}).subscribe({ next: (chunk) => answers.push(chunk), error, complete: () => answers.push('complete') });
    unused.subscribe({ next: (chunk) => answers.push(chunk), error });
    expect(answers).toEqual([page('a'), 'complete', page('b'), 'complete']);
  });

  it('tells each request with its time', () => {
    const scheduler = new VirtualTimeScheduler();
    const requests: FakeRequest[] = [];
    const source = scriptedListerWatcher<string>({ onRequest: (request) => requests.push(request), scheduler });
    source.list({ limit: 5 }).subscribe({ error });
    advanceBy(scheduler, 70);
    source.watch({ resourceVersion: '1' }).subscribe({ error });
    expect(requests).toEqual([
      { at: 0, verb: 'list', request: { limit: 5 } },
      { at: 70, verb: 'watch', request: { resourceVersion: '1' } },
    ]);
  });

  it('is described as told', () => {
    const described = { resource: 'pods', scope: 'web', expected: { apiVersion: 'v1', kind: 'Pod' }, watchList: false };
    expect(scriptedListerWatcher(described)).toMatchObject(described);
    expect(Object.keys(scriptedListerWatcher({}))).toEqual(['list', 'watch']);
  });
});
