import { describe, expect, it } from '@jest/globals';
import { of, Subject, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { advanceBy, FakeListerWatcher } from 'rx-informer/testing';
import type { RelayUser } from '../src/rights/authorizer.js';
import { Link, objects, pageSource, relayCore } from './link.js';

const quiet = { random: () => 0.5, logger: { warn: () => undefined } };
const textOf = (all: Iterable<KubernetesObject>): string =>
  [...all]
    .map(({ metadata: { namespace = '', resourceVersion = '' } = {} }) => `${namespace}@${resourceVersion}`)
    .sort()
    .join(' ');

/** One page whose stream is cut after a number of frames of a change; `between` happens before it is back. Says what is wrong before the next heartbeat. */
function cutAfter(count: number, content: string, rights: string, change: string, between: string): { problem: string; isOver: boolean } {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler });
  const granted = new Set(rights);
  const changed$ = new Subject<(user: RelayUser) => boolean>();
  const may = (namespace: string): boolean => granted.has('*') || granted.has(namespace);
  const act = (action: string): void => {
    const [verb, namespace = ''] = action.split(' ');
    if (verb === 'put') server.add({ metadata: { namespace, name: 'x' } });
    else if (verb === 'delete' && server.objects().some(({ metadata }) => metadata?.namespace === namespace))
      server.delete(`${namespace}/x`);
    else if (verb === 'grant' || verb === 'revoke') {
      granted[verb === 'grant' ? 'add' : 'delete'](namespace);
      changed$.next(() => true);
    }
  };
  for (const namespace of content) act(`put ${namespace}`);
  const informer = createInformer(server, { ...quiet, scheduler });
  const core = relayCore({
    ...{ scheduler, sources: { objects: { collection: informer, resource: objects } } },
    authorizer: { review: (_, { namespace }) => of(may(namespace)), changed$ },
  });
  const link = new Link(core);
  const shown = new Map<string, KubernetesObject>();
  let drifts = 0;
  const page = pageSource(link, scheduler, { kind: 'objects', fields: 'all' }).subscribe((event: SourceEvent<KubernetesObject>) => {
    if (event.type === 'init') shown.clear();
    else if (event.type === 'page') event.items.forEach((item, at) => shown.set(event.keys?.[at] ?? '', item));
    else if (event.type === 'added' || event.type === 'modified') shown.set(event.key ?? '', event.object);
    else if (event.type === 'deleted') shown.delete(event.key ?? '');
    else if (event.type === 'status' && event.error?.code === 'ERR_DRIFT') drifts += 1;
  });
  advanceBy(scheduler, 3_000);
  let left = count;
  let isOver = true;
  link.alter = (text) => {
    const frames = text.split(/(?<=\n\n)/);
    const through = frames.slice(0, left);
    left -= through.length;
    isOver &&= through.length === frames.length;
    return through.join('');
  };
  act(change);
  advanceBy(scheduler, 300);
  link.cut();
  link.alter = (text) => text;
  act(between);
  advanceBy(scheduler, 4_000);
  const [has, should] = [textOf(shown.values()), textOf(server.objects().filter(({ metadata }) => may(metadata?.namespace ?? '')))];
  page.unsubscribe();
  core.stop();
  void informer.stop();
  return { isOver, problem: has === should && drifts === 0 ? '' : `[${has}] in the place of [${should}], ${drifts} drifts` };
}

describe('a stream that is cut between any two frames', () => {
  const changes = ['revoke a', 'revoke b', 'revoke *', 'grant b', 'grant *', 'delete a', 'put c'];
  it.each(changes)('goes on with what the user may see then, long before a heartbeat finds a difference: %s', (change) => {
    const problems: string[] = [];
    for (const content of ['a', 'ab'])
      for (const rights of ['a', 'ab', '*'])
        for (const between of ['nothing', 'grant a', 'revoke a', 'grant b', 'revoke b', 'grant *', 'revoke *'])
          for (let count = 0, isOver = false; !isOver; count += 1) {
            const result = cutAfter(count, content, rights, change, between);
            isOver = result.isOver;
            if (result.problem !== '')
              problems.push(`${content}, rights ${rights}: after ${count} frames, then ${between}: ${result.problem}`);
          }
    expect(problems).toEqual([]);
  });
});
