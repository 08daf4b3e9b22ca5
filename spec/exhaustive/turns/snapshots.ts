import { Subject, Subscription, takeUntil } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ResourceChange } from '../../../src/api/events.js';
import type { Choose } from '../everyChoice.js';
import type * as subjects from './subject.js';

/** The four ways to be told changes. */
const kinds = ['change$', 'settled$', 'resource$', 'follow'] as const;

interface Member {
  readonly kind: (typeof kinds)[number];
  subscription: Subscription | undefined;
  /** The last version that it was told; `undefined` before the first one. */
  told: number | undefined;
}

/** One object that is changed again and again, and four members that join, leave and change it, also while they are told. */
class Snapshots {
  problem: string | undefined;
  private readonly choose: Choose;
  private left: number;
  private version = 0;
  private readonly source$ = new Subject<ResourceChange<KubernetesObject>>();
  private readonly turns: subjects.Trampoline;
  private readonly changes$: ReturnType<typeof subjects.createSharedChanges<KubernetesObject>>;
  private readonly members: readonly Member[] = kinds.map((kind) => ({ kind, subscription: undefined, told: undefined }));
  private readonly does: string[] = [];

  constructor(subject: typeof subjects, choose: Choose, acts: number) {
    this.choose = choose;
    this.left = acts;
    this.turns = new subject.Trampoline();
    const store = {
      listKeys: () => (this.version === 0 ? [] : ['k']),
      getByKey: () => this.object(),
      lastStoreSyncResourceVersion: () => String(this.version),
    };
    this.changes$ = subject.createSharedChanges(this.source$, store as never, { trampoline: this.turns });
    // Somebody is always there, so that the session lasts.
    this.changes$.subscribe();
  }

  run(): string | undefined {
    while (this.left > 0 && this.problem === undefined) this.act('');
    for (const { kind, subscription, told } of this.members) {
      if (subscription !== undefined && (told ?? 0) !== this.version)
        this.fail(`${kind} was told ${told} at last, and it is ${this.version}`);
    }
    return this.problem;
  }

  private object(): KubernetesObject {
    return { metadata: { name: 'k', resourceVersion: String(this.version) } };
  }

  private fail(problem: string): void {
    this.problem ??= `${problem}, after ${this.does.join(', ')}`;
  }

  /** Any action at any point; inside of a callback also none. */
  private act(inside: string): void {
    if (this.left === 0) return;
    const chosen = this.choose(1 + kinds.length + (inside === '' ? 0 : 1));
    const member = this.members[chosen - 1];
    if (chosen === 1 + kinds.length) return;
    this.left -= 1;
    if (member === undefined) this.change(inside);
    else if (member.subscription === undefined) this.join(member, inside);
    else this.leave(member, inside);
  }

  private change(inside: string): void {
    this.does.push(`${inside}change`);
    this.turns.run(() => {
      this.version += 1;
      const object = this.object();
      const event =
        this.version === 1
          ? ({ type: 'added', key: 'k', object, initial: false, inferred: false } as const)
          : ({ type: 'updated', key: 'k', object, previous: object, resync: false } as const);
      this.source$.next({ cause: 'watch', events: [event as never], synced: true, resourceVersion: String(this.version) });
    });
  }

  private join(member: Member, inside: string): void {
    const { kind } = member;
    this.does.push(`${inside}${kind} joins`);
    member.told = undefined;
    const next = (change: ResourceChange<KubernetesObject>): void => {
      const [event] = change.events;
      this.told(member, event === undefined ? 0 : Number(event.object.metadata?.resourceVersion), change.cause === 'snapshot');
    };
    // It is a member before it is told its snapshot, and can leave there already.
    const left$ = new Subject<void>();
    const subscription = new Subscription(() => left$.next());
    member.subscription = subscription;
    const { settled$, resource$ } = this.changes$;
    if (kind === 'change$') this.changes$.pipe(takeUntil(left$)).subscribe(next);
    else if (kind === 'settled$') settled$.pipe(takeUntil(left$)).subscribe(next);
    else if (kind === 'follow') subscription.add(this.changes$.follow((change) => (subscription.closed ? undefined : next(change))));
    else {
      resource$.pipe(takeUntil(left$)).subscribe((event) => {
        if (event.type === 'synced') return;
        this.told(member, Number(event.object.metadata?.resourceVersion), event.type === 'added' && event.initial);
      });
    }
  }

  private leave(member: Member, inside: string): void {
    this.does.push(`${inside}${member.kind} leaves`);
    member.subscription?.unsubscribe();
    member.subscription = undefined;
  }

  private told(member: Member, version: number, isSnapshot: boolean): void {
    const { kind, told, subscription } = member;
    if (subscription === undefined) this.fail(`${kind} is told ${version} after it has left`);
    if (told === undefined ? !isSnapshot && version !== 1 : version !== told + 1) this.fail(`${kind} is told ${version} after ${told}`);
    if (kind !== 'settled$' && version !== this.version && isSnapshot)
      this.fail(`${kind} gets ${version} as its snapshot at ${this.version}`);
    member.told = version;
    this.act(`in ${kind}: `);
  }
}

/** All sequences of changes, subscriptions and unsubscriptions of this length, also inside of callbacks. */
export function snapshotsProgram(subject: typeof subjects, acts: number): (choose: Choose) => string | undefined {
  return (choose) => new Snapshots(subject, choose, acts).run();
}
