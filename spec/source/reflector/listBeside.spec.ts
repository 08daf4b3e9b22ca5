import { describe, expect, it } from '@jest/globals';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../../src/api/events/sourceEvent.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { ListBeside } from '../../../src/source/reflector/listBeside.js';
import { podOf } from '../../../src/testing/suites/sourceConformanceCase.js';

type Event = SourceEvent<KubernetesObject>;

interface Beside {
  readonly list: ListBeside<KubernetesObject>;
  /** What its reflector emits. */
  readonly emit: (event: Event) => void;
  readonly fail: (error: unknown) => void;
  /** What has happened, in brief. */
  readonly log: string[];
}

function beside(): Beside {
  const log: string[] = [];
  let emit = (_: Event): void => undefined;
  let fail = (_: unknown): void => undefined;
  const list = new ListBeside<KubernetesObject>({
    begin: (output) => {
      emit = (event) => output.next(event);
      fail = (error) => output.error(error);
      return { start: () => log.push('start'), stop: () => log.push('stop') };
    },
    tell: ({ error }) => log.push(`tell ${error?.code}`),
    fail: (error) => log.push(`fail ${String(error)}`),
    complete: (resourceVersion) => log.push(`complete ${resourceVersion}`),
  });
  return { list, emit, fail, log };
}

const init: Event = { type: 'init', scope: '', reason: 'period', previousResourceVersion: '10' };
const page = (name: string): Event => ({ type: 'page', items: [podOf(name, '11')] });
const ready: Event = { type: 'ready', scope: '', resourceVersion: '12' };
const change = (resourceVersion: string): Event => ({ type: 'modified', object: podOf('a', resourceVersion), resourceVersion });

describe('ListBeside', () => {
  it('keeps the list, ends with it, and says at which version it is complete', () => {
    const { list, emit, log } = beside();
    list.start();
    for (const event of [init, page('a'), page('b')]) emit(event);
    expect(log).toEqual(['start']);
    emit(ready);
    expect(log).toEqual(['start', 'stop', 'complete 12']);
    expect(list.brought('12')).toEqual([page('a'), page('b')]);
  });

  it('has nothing before its first page', () => {
    expect(beside().list.brought('12')).toEqual([]);
  });

  it('forgets what came before the list has begun anew', () => {
    const { list, emit } = beside();
    for (const event of [init, page('a'), init, page('b'), ready]) emit(event);
    expect(list.brought('12')).toEqual([page('b')]);
  });

  it('keeps no bookmark and no status, and tells failures', () => {
    const { list, emit, log, fail } = beside();
    const error = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods' });
    emit(init);
    emit({ type: 'bookmark', resourceVersion: '11' });
    emit({ type: 'status', state: 'listing' });
    emit({ type: 'status', state: 'retrying', error });
    expect(log).toEqual(['tell ERR_LIST']);
    fail(error);
    expect(log).toEqual(['tell ERR_LIST', `fail ${String(error)}`]);
    expect(list.brought('12')).toEqual([]);
  });

  it('puts behind the list the changes that the watch has brought above a version', () => {
    const { list, emit } = beside();
    for (const event of [init, page('a')]) emit(event);
    for (const event of [change('9'), change('12'), { type: 'bookmark', resourceVersion: '14' } as const, change('13')])
      list.watched(event);
    emit(ready);
    expect(list.brought('12')).toEqual([page('a'), change('13')]);
    // The server has gone back: what the watch has brought was of a history that is no more.
    expect(list.brought(undefined)).toEqual([page('a')]);
  });
});
