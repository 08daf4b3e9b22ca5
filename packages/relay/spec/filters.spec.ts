import { describe, expect, it } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import { type KubernetesObject, resources } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import type { RelayAccess } from '../src/rights/authorizer.js';
import { protocolVersion, type Scope } from '../src/wire/frames.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { derive } from '@rx-informer/views';
import { Link, pageSource, relayCore, requestOf } from './link.js';

type Labelled = KubernetesObject & { readonly team?: string };

function object(namespace: string, name: string, app: string, team = app): Labelled {
  return { metadata: { namespace, name, labels: { app } }, team };
}

/** Pods, and a view of them with other labels. */
function worldOf(allowed: ReadonlySet<string> = new Set(['', 'a', 'b']), scheduler: VirtualTimeScheduler = new VirtualTimeScheduler()) {
  const cache = fakeCollection<Labelled>([object('a', 'x', 'web'), object('a', 'y', 'db'), object('b', 'z', 'web')], {
    name: 'pods',
    scheduler,
  });
  const teams = derive(cache, ({ metadata = {}, team = '' }) => ({ name: metadata.name, team }), { labels: ({ team }) => ({ team }) });
  const authorizer = { review: (_: unknown, { namespace }: RelayAccess) => of(allowed.has(namespace)) };
  const pods = { collection: cache, resource: resources.core.v1.pods };
  const core = relayCore({ scheduler, authorizer, sources: { pods, teams: { collection: teams, inputs: ['pods'] } } });
  const link = new Link(core);
  const follow = (scope: Scope) => {
    const events: SourceEvent<KubernetesObject>[] = [];
    pageSource(link, scheduler, scope).subscribe((event) => events.push(event));
    advanceBy(scheduler, 1_000);
    const told = (): string =>
      events
        .splice(0)
        .flatMap((event) => {
          if (event.type === 'page') return event.keys ?? [];
          return event.type === 'added' || event.type === 'modified' || event.type === 'deleted'
            ? [`${event.type} ${event.key ?? ''}`]
            : [];
        })
        .join(' ');
    return { told, events };
  };
  return { scheduler, cache, pods, core, link, follow };
}

describe.each([
  ['a kind', { kind: 'pods' }, 'app'],
  ['a view', { view: 'teams' }, 'team'],
])('the filters of %s', (_, source: Scope, label) => {
  it('are a namespace, labels, or both', () => {
    const { follow } = worldOf();
    expect(follow({ ...source, namespace: 'a' }).told()).toBe('a/x a/y');
    expect(follow({ ...source, labelSelector: `${label}=web` }).told()).toBe('a/x b/z');
    expect(follow({ ...source, labelSelector: `${label} in (web, db)`, namespace: 'b' }).told()).toBe('b/z');
    expect(follow({ ...source, labelSelector: 'else' }).told()).toBe('');
  });

  it('let an object go that they do not choose any more, as a deletion, and bring it when they do', () => {
    const { scheduler, cache, link, follow } = worldOf();
    const { told, events } = follow({ ...source, labelSelector: `${label}=web` });
    told();
    cache.put(object('a', 'x', 'db'));
    cache.put(object('a', 'y', 'web'));
    advanceBy(scheduler, 1_000);
    expect(events.some((event) => 'reason' in event)).toBe(false);
    expect(told()).toBe('deleted a/x added a/y');
    // Objects that are not selected are not sent, and a cut connection does not change that.
    link.texts.length = 0;
    cache.put(object('a', 'x', 'db', 'other'));
    link.cut();
    advanceBy(scheduler, 20_000);
    expect([told(), link.texts.join('')]).toEqual(['', expect.not.stringContaining('a/x')]);
  });

  it('choose the objects of a window', () => {
    const { scheduler, cache, follow } = worldOf();
    const orderBy = source.view === undefined ? 'metadata.name' : 'name';
    const { told } = follow({ ...source, labelSelector: `${label}=web`, window: { orderBy, limit: 2 } });
    expect(told()).toBe('a/x b/z');
    cache.put(object('a', 'x', 'db'));
    advanceBy(scheduler, 1_000);
    expect(told()).toBe('deleted a/x');
  });

  it('give nobody more than the rights do', () => {
    const { follow } = worldOf(new Set(['b']));
    expect(follow({ ...source, labelSelector: `${label}=web` }).told()).toBe('b/z');
    const { events } = follow({ ...source, namespace: 'a' });
    expect(events.at(-1)).toMatchObject({ state: 'retrying', error: { cause: { reason: 'Forbidden' } } });
  });
});

it('a scope that is refused does not keep a page from its others', () => {
  const { scheduler, cache, core, link, follow } = worldOf();
  const [wrong, missing] = [{ kind: 'pods', labelSelector: 'app=(' }, { kind: 'jobs' }].map(follow);
  expect(wrong?.events.at(-1)).toMatchObject({ state: 'retrying', error: { message: 'pods: Expected `labelSelector` to be one' } });
  const { told } = follow({ kind: 'pods', namespace: 'b' });
  // They have waited for a request that names what is served.
  advanceBy(scheduler, 60_000);
  expect(told()).toBe('b/z');
  cache.put(object('b', 'w', 'web'));
  advanceBy(scheduler, 1_000);
  expect(told()).toBe('added b/w');
  expect([wrong, missing].map((scope) => scope?.events.at(-1))).toMatchObject([
    { state: 'retrying', error: { message: 'pods: the relay says: Expected `labelSelector` to be one' } },
    { state: 'retrying', error: { message: 'jobs: the relay says: This relay has no kind "jobs"' } },
  ]);
  // A stream with refused scopes goes on where it was, like any other.
  link.texts.length = 0;
  link.cut();
  advanceBy(scheduler, 10_000);
  expect([link.texts.join(''), core.figures().streams]).toEqual([expect.not.stringContaining('b/z'), 1]);
});

it('a scope that one replica refuses is whole at another that serves it', () => {
  const { scheduler, link, follow } = worldOf();
  const others = worldOf(undefined, scheduler);
  const older = relayCore({ scheduler, authorizer: { review: () => of(true) }, sources: { nodes: others.pods } });
  link.core = older;
  const [known, unknown] = [{ kind: 'nodes' }, { kind: 'pods' }].map(follow);
  advanceBy(scheduler, 60_000);
  expect([known, unknown].map((scope) => scope?.events.at(-1))).toMatchObject([{ type: 'bookmark' }, { state: 'retrying' }]);
  link.core = relayCore({ scheduler, authorizer: { review: () => of(true) }, sources: { nodes: others.pods, pods: others.pods } });
  older.stop();
  unknown?.told();
  advanceBy(scheduler, 60_000);
  expect(unknown?.events.filter((event) => event.type === 'status').at(-1)).toMatchObject({ state: 'watching' });
  expect(unknown?.told()).toBe('a/x a/y b/z');
});

it('a relay refuses filters that it cannot read, and whatever of a request it does not know', () => {
  const { core } = worldOf();
  const answerTo = (scope: object): string => {
    let said = '';
    core.answer(requestOf(), JSON.stringify({ version: protocolVersion, scopes: [scope] })).subscribe((answer) => {
      said = 'message' in answer ? answer.message : String(answer.status);
    });
    return said;
  };
  expect(
    [
      { kind: 'pods', labelSelector: 'app=web' },
      { kind: 'pods', labelSelector: 'app=(' },
      { kind: 'pods', labelSelector: { app: 'web' } },
      { kind: 'pods', labelSelector: `app in (${'x,'.repeat(1_000)}x)` },
      { kind: 'pods', name: 'x', namespace: 'a', labelSelector: 'app=web' },
      { view: 'teams', namespace: 'a', window: { orderBy: 'name', limit: 1 } },
      { kind: 'pods', fieldSelector: 'spec.nodeName=n1' },
    ].map(answerTo),
  ).toEqual([
    '200',
    ...Array<string>(3).fill('Expected `labelSelector` to be one'),
    'Expected `name` to be a name, without `window` and `labelSelector`',
    'Expected the `window` of a view without `namespace`',
    'Expected a scope without "fieldSelector": page and relay are of different releases',
  ]);
});
