import { describe, expect, it } from '@jest/globals';
import type { SourceEvent } from '../../../src/api/events.js';
import { type IncomingList, Intake, type Scope, type SourceChange } from '../../../src/delta/index/intake.js';
import { added, bookmark, deleted, init, modified, page, type Pod, pod, ready } from '../pods.js';

/** What an intake is told, in brief. */
class NotingIntake extends Intake<Pod, Pod, never> {
  readonly calls: string[] = [];
  scope: Scope<Pod> | undefined;

  protected override keyOf({ metadata }: Pod): string | undefined {
    return metadata.name === 'nameless' ? undefined : metadata.name;
  }
  protected override presentKeys(): readonly string[] {
    return [];
  }
  protected override collect(_: IncomingList<Pod>, key: string): void {
    this.calls.push(`collect ${key}`);
  }
  protected override drop(_: IncomingList<Pod>, key: string): void {
    this.calls.push(`drop ${key}`);
  }
  // None of these lists follows another version.
  protected override publish(scope: Scope<Pod>, incoming: IncomingList<Pod>, resourceVersion: string): undefined {
    this.scope = scope;
    this.settle(scope, incoming, resourceVersion);
    this.calls.push(`publish ${resourceVersion}${incoming.previousResourceVersion}`);
  }
  protected override change(_: Scope<Pod>, key: string, event: SourceChange<Pod>, previous: string): undefined {
    this.calls.push(`${event.type} ${key} after ${previous}`);
  }
  protected override reach(_: Scope<Pod>, resourceVersion: string): undefined {
    this.calls.push(`reach ${resourceVersion}`);
  }
}

function intake() {
  const noting = new NotingIntake(undefined, []);
  const send = (...events: readonly SourceEvent<Pod>[]): string[] => {
    noting.calls.splice(0);
    for (const event of events) noting.accept(event);
    return [...noting.calls];
  };
  return { send, scope: () => noting.scope };
}

const away = (name: string): SourceEvent<Pod> => ({ type: 'deleted', object: pod(name, '9'), resourceVersion: '9', reason: 'moved' });

describe('Intake', () => {
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
    expect(scope()?.resourceVersion).toBe('7');
  });

  it('tells at once what has gone to another shard while a list is under way, unless it is the first one', () => {
    const { send } = intake();
    expect(send(init(), away('a'))).toEqual(['drop a']);
    send(ready('2'));
    expect(send(init(), away('a'), deleted(pod('b', '3')))).toEqual(['drop a', 'deleted a after 2', 'drop b']);
  });
});
