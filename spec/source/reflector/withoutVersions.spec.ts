import { describe, it } from '@jest/globals';
import { concat, map, NEVER, type Observable, of, throwError } from 'rxjs';
import type { KubernetesList, KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListerWatcher, WatchChunk } from '../../../src/api/listerWatcher.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { followByLists } from '../../../src/source/pages/listPages.js';
import { pollSource } from '../../../src/source/recording/pollSource.js';
import { statusError } from '../../../src/testing/fakes/serverErrors.js';
import { briefly } from '../../../src/testing/marbles/briefly.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';

const logger = { warn: () => undefined };
const random = () => 0;

/** The usage of a pod, as the metrics server sends it: without uid and version. */
const usage = (name: string, cpu: string): KubernetesObject => ({ metadata: { name }, ...{ usage: { cpu } } });

/** An aggregated server whose lists have these versions; `watch` is its answer to watches, streamed lists included. */
function aggregated(
  listed: (count: number) => KubernetesList<KubernetesObject>,
  watch: () => Observable<WatchChunk<KubernetesObject>>,
): ListerWatcher<KubernetesObject> {
  let count = 0;
  return { resource: 'pods.metrics.k8s.io', list: () => of(listed(count++)), watch };
}

const noWatch = () =>
  throwError(() => statusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource'));

describe('a server without versions', () => {
  it('is refused by a sentence with the way out, at each attempt, and is retried with backoff', () => {
    runMarbles(({ expectObservable, scheduler }) => {
      const informer = createInformer(
        aggregated(() => ({ metadata: {}, items: [usage('a', '1')] }), noWatch),
        { ...{ scheduler, random, logger } },
      );
      const refused =
        'ERR_NO_RESOURCE_VERSION Cannot list pods.metrics.k8s.io: the list came without a resourceVersion, so it cannot be watched from there; it can be followed by ' +
        'lists: `createInformer(pollSource((request) => client.list(resource, request), { periodMs: 30_000 }))`';
      expectObservable(informer.error$.pipe(map(briefly)), '^ 3s !').toBe('(wn) 796ms n 1599ms n', {
        w:
          'ERR_WATCH_LIST Cannot stream the list of pods.metrics.k8s.io: the server does not allow this method on the requested resource; ' +
          followByLists,
        n: refused,
      });
      expectObservable(informer.health$.pipe(map(({ state }) => state)), '^ 3s !').toBe('(ilr) 795ms (lr) 1596ms (lr)', {
        ...{ i: 'idle', l: 'listing', r: 'retrying' },
      });
      expectObservable(informer.resource$, '^ 3s !').toBe('');
    });
  });

  it('is followed by that way', () => {
    runMarbles(({ expectObservable, scheduler }) => {
      let count = 0;
      const list = (): Observable<KubernetesList<KubernetesObject>> => of({ metadata: {}, items: [usage('a', String(count++ >> 1))] });
      const informer = createInformer(pollSource(list, { periodMs: 30_000, scheduler, random }), { scheduler });
      expectObservable(informer.change$.pipe(map(briefly)), '^ 70s !').toBe('c 29999ms n 29999ms d', {
        ...{ c: 'list {+a}', n: 'list {}', d: 'list {~a}' },
      });
    });
  });
});

describe('a server that lists with versions, and whose objects have none', () => {
  it('is followed: on the watch every event counts, in later lists every content that differs', () => {
    runMarbles(({ cold, expectObservable, scheduler }) => {
      const lists = [usage('a', '1'), usage('a', '3')];
      const source = aggregated(
        (count) => ({ metadata: { resourceVersion: String(10 + count) }, items: lists.slice(count, count + 1) }),
        () => cold('(oc) 1m #', { o: [], c: [{ type: 'MODIFIED', object: usage('a', '2') }] }, statusError(410, 'Expired', 'old')),
      );
      const informer = createInformer(source, { scheduler, random, logger, listStrategy: 'list' });
      expectObservable(informer.change$.pipe(map(briefly)), '^ 61s !').toBe('(lw) 60800ms (LW)', {
        ...{ l: 'list {+a}', w: 'watch {~a}', L: 'list {~a}', W: 'watch {~a}' },
      });
    });
  });
});

describe('a server that lists, and refuses every watch with 405', () => {
  it.each<[string, () => Observable<WatchChunk<KubernetesObject>>]>([
    ['at once', noWatch],
    ['once it is open', () => concat(of([]), noWatch())],
  ])('is listed again with backoff, and says so each time: %s', (_, watch) => {
    runMarbles(({ expectObservable, scheduler }) => {
      const source = aggregated((count) => ({ metadata: { resourceVersion: '10' }, items: [usage('a', String(count))] }), watch);
      const informer = createInformer(source, { scheduler, random, logger, listStrategy: 'list' });
      const told = informer.error$.pipe(map(({ message }) => message.endsWith(`requested resource; ${followByLists}`)));
      expectObservable(told, '^ 6s !').toBe('t 799ms t 1599ms t 3199ms t', { t: true });
      expectObservable(informer.change$.pipe(map(briefly)), '^ 6s !').toBe('l 799ms d 1599ms d 3199ms d', {
        l: 'list {+a}',
        d: 'list {~a}',
      });
    });
  });
});

describe('a server whose conversion webhook is down', () => {
  it('is noticed when it gives its watches up, after 30 s, or after 75 s of silence: from then on each answer is told', () => {
    runMarbles(({ cold, expectObservable, scheduler }) => {
      const failing = statusError(
        429,
        'TooManyRequests',
        'storage is (re)initializing: conversion webhook for example.com/v1 failed',
        1000,
      );
      const answers = [cold<WatchChunk<KubernetesObject>>('o 29999ms |', { o: [] }), throwError(() => failing), concat(of([]), NEVER)];
      const source = aggregated(
        () => ({ metadata: { resourceVersion: '10' }, items: [] }),
        () => answers.shift() ?? NEVER,
      );
      const informer = createInformer(source, { scheduler, random, logger, listStrategy: 'list' });
      expectObservable(informer.health$.pipe(map(({ state }) => state)), '^ 39s !').toBe('(ilw) 29995ms r 999ms w', {
        ...{ i: 'idle', l: 'listing', w: 'watching', r: 'retrying' },
      });
      expectObservable(informer.error$.pipe(map(briefly)), '^ 40s !').toBe('30s e', {
        e: 'ERR_WATCH_START Cannot watch pods.metrics.k8s.io: storage is (re)initializing: conversion webhook for example.com/v1 failed',
      });
      expectObservable(informer.change$.pipe(map(briefly)), '^ 40s !').toBe('l', { l: 'list {}' });
    });
  });
});
