import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defer, delay, filter, of, Subject, throwError, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import type { Authorizer, RelayAccess, RelayUser } from '../src/rights/authorizer.js';
import { type Frame, frameReader } from '../src/wire/frames.js';
import type { RelayCore } from '../src/serve/relayCore.js';
import { advanceBy, checkSourceGrammar, FakeListerWatcher } from 'rx-informer/testing';
import { Link, objects, pageSource, relayCore } from './link.js';
import { runs } from '../../../spec/tier.js';

const namespaces = ['a', 'b', 'c'];
const users = ['ada', 'bob'];

type Action =
  | { readonly do: 'put' | 'delete'; readonly namespace: string; readonly name: string }
  | { readonly do: 'grant' | 'revoke'; readonly user: string; readonly namespace: string }
  | { readonly do: 'cut' | 'replica' | 'drain'; readonly page: number }
  | { readonly do: 'window'; readonly page: number; readonly writes: number }
  | { readonly do: 'restart'; readonly replica: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'review'; readonly how: 'answers' | 'fails' | 'hangs' };

const namespace = fc.constantFrom(...namespaces);
const page = fc.nat(2);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('put' as const, 'put' as const, 'delete' as const),
      namespace,
      name: fc.constantFrom('x', 'y', 'z'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('grant' as const, 'revoke' as const),
      user: fc.constantFrom(...users),
      namespace: fc.constantFrom('', ...namespaces),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'replica' as const, 'drain' as const), page }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('window' as const), page, writes: fc.constantFrom(1, 2, 3, Infinity) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), replica: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 30, 100, 150, 1_000, 5_100, 11_000, 70_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      how: fc.constantFrom('answers' as const, 'answers' as const, 'fails' as const, 'hangs' as const, 'hangs' as const),
    }),
  },
);

/** The permissions of the users as the relay has learnt them: they count from the time of the answer. */
class Decisions implements Authorizer {
  private readonly hints$ = new Subject<(user: RelayUser) => boolean>();
  readonly changed$ = this.hints$.asObservable();
  private readonly answers = new Map<string, boolean>();
  private readonly doubts = new Map<string, number>();
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly review = (user: RelayUser, { namespace: place }: RelayAccess) =>
    defer(() => {
      const { scheduler, how, grants } = this.world;
      if (how === 'fails') return throwError(() => new Error('no answer'));
      const answer = grants.has(`${user.name} ${place}`) || grants.has(`${user.name} `);
      const asked = scheduler.now();
      return of(answer).pipe(
        delay(how === 'hangs' ? 1_000_000 : 20, scheduler),
        // The last operator: the relay has it when this has run.
        filter(() => {
          const key = `${user.name} ${place}`;
          this.answers.set(key, answer);
          if ((this.doubts.get(key) ?? Infinity) <= asked) this.doubts.delete(key);
          return true;
        }),
      );
    });

  doubt(user: string): void {
    for (const place of ['', ...namespaces]) {
      const key = `${user} ${place}`;
      if (!this.doubts.has(key)) this.doubts.set(key, this.world.scheduler.now());
    }
    this.hints$.next(({ name }) => name === user);
  }

  /** Whether rows of a namespace may be on their way to a user now. */
  allows(user: string, place: string): boolean {
    return ['', place].some((at) => {
      const key = `${user} ${at}`;
      const doubtedFor = this.world.scheduler.now() - (this.doubts.get(key) ?? Infinity);
      return this.answers.get(key) === true && !(doubtedFor > 5_000);
    });
  }
}

type Content = ReadonlyMap<string, string>;

interface Page {
  readonly user: string;
  readonly link: Link;
  readonly shown: Map<string, KubernetesObject>;
  replica: number;
  decisions: Decisions;
  /** The moment that it showed last. */
  at: number;
}

class World {
  readonly scheduler = new VirtualTimeScheduler();
  readonly server = new FakeListerWatcher({ scheduler: this.scheduler });
  readonly grants = new Set<string>(['ada ', 'bob b']);
  readonly replicas: { core: RelayCore; decisions: Decisions; stop: () => void }[] = [];
  readonly pages: Page[] = [];
  readonly problems: string[] = [];
  readonly moments: Content[] = [];
  how: 'answers' | 'fails' | 'hangs' = 'answers';
  private seeds = 0;

  constructor() {
    this.replicas.push(this.replica(), this.replica());
    this.note();
    for (const [at, user] of ['ada', 'bob', 'ada'].entries()) this.addPage(user, at % 2, at === 2 ? 'a' : undefined);
  }

  run(actions: readonly Action[]): void {
    for (const one of actions) {
      this.act(one);
      for (const [at, shown] of this.pages.entries()) this.checkMoment(shown, at);
    }
  }

  /** After all faults have ended, everything that is allowed is shown, and nothing else. */
  settle(): void {
    this.how = 'answers';
    for (const { link } of this.pages) {
      link.window = Infinity;
      link.drain();
    }
    for (let step = 0; step < 40; step += 1) advanceBy(this.scheduler, 30_000);
    for (const [at, { user, shown, link }] of this.pages.entries()) {
      const only = link.requests.at(-1)?.includes('"namespace":"a"') === true ? 'a' : undefined;
      const expected = this.server.objects().filter(({ metadata: { namespace: place = '' } = {} }) => {
        const isAllowed = this.grants.has(`${user} `) || this.grants.has(`${user} ${place}`);
        return isAllowed && (only === undefined || place === only);
      });
      const [has, should] = [contentOf(shown.values()), contentOf(expected)].map((content) => JSON.stringify([...content]));
      if (has !== should) this.problems.push(`page ${at} ends with ${has} in the place of ${should}`);
    }
  }

  stop(): void {
    for (const { stop } of this.replicas) stop();
  }

  private replica(): World['replicas'][number] {
    const { scheduler, server } = this;
    const decisions = new Decisions(this);
    this.seeds += 1;
    const informer = createInformer(server, { scheduler, random: () => 0.5, logger: { warn: () => undefined } });
    const core = relayCore({
      // Short slices: a page that catches up is overtaken.
      ...{ scheduler, authorizer: decisions, seed: this.seeds, sliceLength: 100 },
      sources: { objects: { collection: informer, resource: objects } },
    });
    return { core, decisions, stop: () => (core.stop(), void informer.stop()) };
  }

  private addPage(user: string, replica: number, only: string | undefined): void {
    const { core, decisions } = this.replicas[replica] as World['replicas'][number];
    const shownPage: Page = { user, replica, decisions, at: 0, shown: new Map(), link: new Link(core, { authorization: user }) };
    const read = new Map<Link, ReturnType<typeof frameReader>>();
    read.set(shownPage.link, frameReader());
    shownPage.link.onText = (text) => this.checkText(shownPage, text);
    const source = pageSource(shownPage.link, this.scheduler, { kind: 'objects', fields: 'all', namespace: only });
    let list: Map<string, KubernetesObject> | undefined;
    source.pipe(checkSourceGrammar()).subscribe({
      next: (event: SourceEvent<KubernetesObject>) => {
        const into = list ?? shownPage.shown;
        if (event.type === 'init') list = new Map();
        else if (event.type === 'page') event.items.forEach((item, at) => into.set(event.keys?.[at] ?? '', item));
        else if (event.type === 'added' || event.type === 'modified') into.set(event.key ?? '', event.object);
        else if (event.type === 'deleted') into.delete(event.key ?? '');
        else if (event.type === 'ready') {
          shownPage.shown.clear();
          for (const [key, object] of list ?? []) shownPage.shown.set(key, object);
          list = undefined;
        } else if (event.type === 'status' && event.error?.code === 'ERR_DRIFT') this.problems.push(`drift: ${event.error.message}`);
      },
      error: (error: unknown) => this.problems.push(`failed: ${String(error)}`),
      complete: () => this.problems.push('completed'),
    });
    this.pages.push(shownPage);
  }

  private act(one: Action): void {
    switch (one.do) {
      case 'put':
      case 'delete': {
        const key = `${one.namespace}/${one.name}`;
        const object = { metadata: { namespace: one.namespace, name: one.name } };
        const isThere = this.server.objects().some(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}` === key);
        if (one.do === 'put' && isThere) this.server.modify(object);
        else if (one.do === 'put') this.server.add(object);
        else if (isThere) this.server.delete(key);
        this.note();
        break;
      }
      case 'grant':
      case 'revoke':
        this.grants[one.do === 'grant' ? 'add' : 'delete'](`${one.user} ${one.namespace}`);
        for (const { decisions } of this.replicas) decisions.doubt(one.user);
        break;
      case 'review':
        this.how = one.how;
        break;
      case 'wait':
        advanceBy(this.scheduler, one.ms);
        break;
      case 'restart':
        this.restart(one.replica);
        break;
      default: {
        const at = this.pages[one.page] as Page;
        if (one.do === 'drain') at.link.drain();
        else if (one.do === 'window') at.link.window = one.writes;
        else this.move(at, one.do === 'cut' ? at.replica : 1 - at.replica);
      }
    }
  }

  private restart(replica: number): void {
    this.replicas[replica]?.stop();
    this.replicas[replica] = this.replica();
    for (const at of this.pages) if (at.replica === replica) this.move(at, replica);
  }

  private move(at: Page, replica: number): void {
    const { core, decisions } = this.replicas[replica] as World['replicas'][number];
    at.replica = replica;
    at.link.core = core;
    at.link.cut();
    at.decisions = decisions;
  }

  private note(): void {
    this.moments.push(contentOf(this.server.objects()));
  }

  private checkText({ user, decisions }: Page, text: string): void {
    for (const frame of frameReader()(text)) {
      const rows = frame as Extract<Frame, { readonly g: string }>;
      if ('g' in rows && !decisions.allows(user, rows.g))
        this.problems.push(`${user} was sent ${JSON.stringify(rows)} at ${this.scheduler.now()}`);
    }
  }

  /** A page shows one state of the server in the namespaces that it shows, and never an older one than before. */
  private checkMoment(at: Page, index: number): void {
    const shown = contentOf(at.shown.values());
    const fits = (moment: Content): boolean =>
      namespaces.every((place) => {
        const mine = within(shown, place);
        return mine === '' || mine === within(moment, place);
      });
    const found = this.moments.findIndex((moment, when) => when >= at.at && fits(moment));
    if (found < 0) this.problems.push(`page ${index} shows no moment since ${at.at}: ${JSON.stringify([...shown])}`);
    else at.at = found;
  }
}

function contentOf(items: Iterable<KubernetesObject>): Content {
  const versions = [...items].map(
    ({ metadata: { namespace: place = '', name = '', resourceVersion = '' } = {} }) => [`${place}/${name}`, resourceVersion] as const,
  );
  return new Map(versions.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function within(content: Content, place: string): string {
  return [...content]
    .filter(([key]) => key.startsWith(`${place}/`))
    .map(([key, version]) => `${key}@${version}`)
    .join(' ');
}

describe('a relay', () => {
  it('shows each page one moment of what its user may see, sends nothing after a decision, and everything in the end', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 40 }), (actions) => {
        const world = new World();
        world.run(actions);
        world.settle();
        world.stop();
        expect(world.problems).toEqual([]);
      }),
      { numRuns: runs(600) },
    );
  });
});
