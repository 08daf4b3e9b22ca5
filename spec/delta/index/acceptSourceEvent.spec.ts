import { describe, expect, it } from '@jest/globals';
import type { SourceEvent } from '../../../src/api/events/sourceEvent.js';
import { Scopes } from '../../../src/delta/index/scopes.js';
import { acceptSourceEvent, type IntakeTarget } from '../../../src/delta/index/acceptSourceEvent.js';
import { added, bookmark, deleted, init, modified, page, type Pod, pod, ready } from '../pods.js';

/** What a target is told, in brief. */
function intake() {
  const calls: string[] = [];
  const scopes = new Scopes<Pod>({ declared: undefined, cachedKeys: () => [], inherited: new Set(), transformed: false });
  const note = (call: string): undefined => void calls.push(call);
  const target: IntakeTarget<Pod, Pod, never> = {
    keyOf: ({ metadata }) => (metadata.name === 'nameless' ? undefined : metadata.name),
    collect: (_, key) => note(`collect ${key}`),
    drop: (_, key) => note(`drop ${key}`),
    // None of these lists follows another version.
    publish: (scope, half, resourceVersion) => {
      scopes.settle(scope, half, resourceVersion);
      note(`publish ${resourceVersion}${half.previousResourceVersion}`);
      return undefined;
    },
    change: (_, key, event, previous) => note(`${event.type} ${key} after ${previous}`),
    reach: (_, resourceVersion) => note(`reach ${resourceVersion}`),
  };
  const send = (...events: readonly SourceEvent<Pod>[]): string[] => {
    calls.splice(0);
    for (const event of events) acceptSourceEvent(event, scopes, target);
    return [...calls];
  };
  return { send, scope: () => scopes.of('') };
}

const away = (name: string): SourceEvent<Pod> => ({ type: 'deleted', object: pod(name, '9'), resourceVersion: '9', reason: 'moved' });

describe('acceptSourceEvent', () => {
  it('collects a list until it is complete, and leaves out what has no key', () => {
    const { send } = intake();
    expect(send(init(), page([pod('a', '1'), pod('nameless', '1')]), ready('2'))).toEqual(['collect a', 'publish 2']);
  });

  it('takes pages and changes before any beginning for a list', () => {
    expect(intake().send(page([pod('a', '1')]), ready('2'))).toEqual(['collect a', 'publish 2']);
    expect(intake().send(added(pod('a', '1')), deleted(pod('b', '1')), ready('2'))).toEqual(['collect a', 'drop b', 'publish 2']);
  });

  it('publishes nothing where no list has begun', () => {
    const { send } = intake();
    expect(send(ready('2'))).toEqual([]);
    send(init(), ready('2'));
    expect(send(ready('3'), bookmark('4'))).toEqual(['reach 4']);
  });

  it('passes changes on with the version before them, which those of a list under way do not change', () => {
    const { send, scope } = intake();
    send(init(), ready('2'));
    expect(send(modified(pod('a', '5')), modified(pod('a', '')), modified(pod('a', '7')))).toEqual([
      ...['modified a after 2', 'modified a after 5', 'modified a after 5'],
    ]);
    send(init(), added(pod('b', '9')));
    expect(scope().resourceVersion).toBe('7');
  });

  it('tells at once what has gone to another shard while a list is under way, unless it is the first one', () => {
    const { send } = intake();
    expect(send(init(), away('a'))).toEqual(['drop a']);
    send(ready('2'));
    expect(send(init(), away('a'), deleted(pod('b', '3')))).toEqual(['drop a', 'deleted a after 2', 'drop b']);
  });
});
