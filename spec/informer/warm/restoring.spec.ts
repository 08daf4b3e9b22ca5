import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable } from 'rxjs';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { restoring } from '../../../src/informer/warm/warmStart.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';

type Name = string;
const events: Readonly<Record<string, SourceEvent<Name>>> = {
  i: { type: 'init', scope: 'web', reason: 'first', previousResourceVersion: '' },
  e: { type: 'init', scope: 'web', reason: 'expired', previousResourceVersion: '7' },
  p: { type: 'init', scope: 'web', reason: 'period', previousResourceVersion: '7' },
  a: { type: 'page', scope: 'web', items: ['a'] },
  b: { type: 'page', scope: 'web', items: ['b'] },
  s: { type: 'page', scope: 'web', items: ['of the server'] },
  r: { type: 'ready', scope: 'web', resourceVersion: '7' },
  R: { type: 'ready', scope: 'web', resourceVersion: '9' },
  w: { type: 'status', scope: 'web', state: 'watching' },
  l: { type: 'status', scope: 'web', state: 'listing' },
  f: { type: 'status', scope: 'web', state: 'retrying' },
  o: { type: 'status', scope: 'web', state: 'watching', error: new InformerError({ code: 'ERR_DECODE', message: 'an odd line' }) },
  m: { type: 'modified', scope: 'web', object: 'a', resourceVersion: '8' },
};
const pages: Readonly<Record<string, readonly Name[]>> = { a: ['a'], b: ['b'] };

type Cold = <T>(marbles: string, values: Readonly<Record<string, T>>) => Observable<T>;

/** The result of restoring a snapshot, followed by the events of the source. */
function restored(cold: Cold, saved: string, resumed: string): Observable<SourceEvent<Name>> {
  return restoring<Name>({
    ...{ scope: 'web', resource: 'pods', resourceVersion: '7' },
    object$: cold(saved, pages),
    resumed$: cold(resumed, events),
    anew$: NEVER,
  });
}

describe('restoring', () => {
  it('is one list, complete when all is read and the watch is trusted, and then what the watch brings', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a-b-|', '-------w-----m')).toBe('ia-b---(rw)--m', events);
      expectObservable(restored(cold, '-a----b-|', '--w-----------m')).toBe('ia----b-(rw)--m', events);
    });
  });

  it('keeps what the watch brings until then, in order', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a----b-|', '--m-w-m')).toBe('ia----b-(rwmm)', events);
    });
  });

  it('lists where the version does not live any more, and nothing of what was saved is complete', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a-b-b-|', '----(les)R-w-m')).toBe('ia-b(lis)R-w-m', events);
    });
  });

  it('says that the watch is open when another list comes beside it', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a---------b-|', '--f-w-(psR)-m')).toBe('iaf---(wisR)m', events);
    });
  });

  it('tells failures at once, and goes on when the watch is open', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a-|', '--f---w-----m')).toBe('iaf---(rw)--m', events);
    });
  });

  it('tells a failure of the open watch once, and that the watch is open', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a----b-|', '--w-o-------m')).toBe('ia--o-b-(rw)m', events);
      expectObservable(restored(cold, '-a---------b-|', '--w-o-(psR)-m')).toBe('ia--o-(wisR)m', events);
    });
  });

  it('is not complete with a watch that is not trusted', () => {
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(restored(cold, '-a-|', '--m-m---')).toBe('ia------', events);
    });
  });

  it('lists what cannot be read', () => {
    const seen: string[] = [];
    const subscription = restoring<Name>({
      ...{ scope: 'web', resource: 'pods', resourceVersion: '7' },
      object$: new Observable((subscriber) => {
        subscriber.next(['a']);
        subscriber.error(new Error('the checksum of a is another one'));
      }),
      resumed$: new Observable<never>(() => {
        throw new Error('nothing is resumed');
      }),
      anew$: new Observable((subscriber) => subscriber.next(events['i'] as SourceEvent<Name>)),
    }).subscribe((event) => seen.push(event.type === 'status' ? `${event.error?.code ?? ''}: ${event.error?.message ?? ''}` : event.type));
    expect(seen).toEqual([
      'init',
      'page',
      'ERR_SNAPSHOT: The snapshot of pods cannot be read, everything is listed: the checksum of a is another one',
      'init',
    ]);
    subscription.unsubscribe();
  });
});
