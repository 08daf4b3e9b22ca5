import { describe, expect, it } from '@jest/globals';
import { merge, NEVER, type SchedulerLike, Subscription, takeUntil, tap, timer } from 'rxjs';
import { createInformer, type KubernetesObject } from 'rx-informer';
import { reflect, type SourceEvent } from 'rx-informer/pipeline';
import { checkSourceGrammar, sourceConformance } from 'rx-informer/testing';
import { foldSource, type SourceFold } from '../../../../src/testing/suites/foldSource.js';
import { playScript, type SourceScript } from '../../../../src/testing/suites/sourceConformanceCase.js';
import { Link, objects, pageSource, relayCore } from '../link.js';

type Events = SourceEvent<KubernetesObject>;

/** Longer than a batch of a relay, and much shorter than its heartbeat. */
const settledMs = 500;

function objectsOf({ scopes }: SourceFold<KubernetesObject>): string[] {
  const all = [...scopes.values()].flatMap((held) => [...held.values()]);
  // An informer omits objects without a name.
  const named = all.filter(({ metadata }) => metadata?.name !== undefined);
  return named
    .map(({ metadata: { namespace = '', name = '', resourceVersion = '' } = {} }) => `${namespace}/${name}@${resourceVersion}`)
    .sort();
}

/** The state of a link, with its failure. */
function stateOf(events: readonly Events[]): string {
  const last = events.filter((event) => event.type === 'status').at(-1);
  return last?.type === 'status' ? `${last.state} ${last.error?.code ?? ''}`.trim() : '';
}

/** The state of the relay's own link that the page must receive. */
function throughTwoHops(events: readonly Events[], isOver: boolean, isListed: boolean): string {
  const state = stateOf(events);
  if (isOver || state.startsWith('retrying')) return 'retrying ERR_WATCH';
  return state.startsWith('watching') && isListed ? 'watching' : 'listing';
}

/**
 * Plays a case with a page behind a relay whose informer has the source. When the case is over, nothing more comes of it, and the page has a moment to catch up: the
 * suite's times are those of the source itself, and a relay waits for the end of a batch.
 */
function playBehindRelay(script: SourceScript) {
  const [upstream, paged]: [Events[], Events[]] = [[], []];
  const [told, shown] = [foldSource<KubernetesObject>(), foldSource<KubernetesObject>()];
  let isOver = false;
  const { untilMs = 60_000 } = script;
  playScript({ ...script, untilMs: untilMs + settledMs }, (listerWatcher, options) => {
    const scheduler = options.scheduler as SchedulerLike;
    const following = new Subscription();
    const source = reflect(listerWatcher, options).pipe(
      tap((event) => {
        upstream.push(event);
        told.apply(event);
      }),
      tap({ error: () => (isOver = true) }),
    );
    const paused = merge(source.pipe(takeUntil(timer(untilMs, scheduler))), NEVER);
    const informer = createInformer<KubernetesObject>(paused, { scheduler, onError: () => undefined, logger: { warn: () => undefined } });
    const core = relayCore({ scheduler, sources: { objects: { collection: informer, resource: objects } } });
    const page = pageSource(new Link(core), scheduler as never, { kind: 'objects', fields: 'all' });
    following.add(
      page.pipe(checkSourceGrammar()).subscribe((event) => {
        paged.push(event);
        shown.apply(event);
      }),
    );
    following.add(() => {
      core.stop();
      void informer.stop();
    });
    return following;
  });
  return { upstream, paged, told, shown, isOver };
}

describe('a page behind a relay', () => {
  it.each(sourceConformance.map((testCase) => [testCase.name, testCase] as const))('%s', (_, { script }) => {
    const { upstream, paged, told, shown, isOver } = playBehindRelay(script);
    expect(objectsOf(shown)).toEqual(objectsOf(told));
    expect(stateOf(paged)).toContain(throughTwoHops(upstream, isOver, told.scopes.size > 0));
  });
});
