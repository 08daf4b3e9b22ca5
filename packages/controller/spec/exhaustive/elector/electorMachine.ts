import type { V1Lease } from 'rx-informer';
import type { ElectionEvent, ElectionRequest, ElectionRules, Term } from '../../../src/leader/electionStep.js';
import type { TenureEvent } from '../../../src/leader/tenure.js';
import { type Machine, type Move, replay } from '../../../../../spec/exhaustive/explore.js';
import { keyOf } from './keyOf.js';
import { type Answer, type Candidate, type Flight, nameOf, type Subject, type Tenure, type World } from './world.js';

/** A few whole seconds, in the order of the defaults: a lease of 15 s, a deadline of 10 s, attempts every 2 s. */
export const timing = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 1000 };

/** The allowed moves. */
export interface ElectorBounds {
  readonly candidates: 2 | 3;
  readonly crashes: number;
  readonly stops: number;
  readonly deletions: number;
  /** Requests of a workload use the client of the current leadership, as before that was fixed. */
  readonly followsMoment?: boolean;
}

const maxStrays = 2;

/** The first candidate leads, and the others have read its lease. */
const beginning = ['c0 tries', 'c0 is answered', 'c0 is answered', 'c1 tries', 'c1 is answered', 'c2 tries', 'c2 is answered'];

export function electorMachine(subject: Subject, bounds: ElectorBounds): Machine<World> {
  const { crashes, stops, deletions } = bounds;
  const moves = new ElectorMoves(subject, bounds);
  const machine: Machine<World> = {
    name: 'elector',
    begin: {
      ...{ now: 1_000_000, lease: undefined, writes: 0, strays: [], highestToken: -1, problem: undefined },
      ...{
        candidates: Array.from({ length: bounds.candidates }, () => ({ state: subject.outsider, tenures: [] })),
        left: { crashes, stops, deletions },
      },
    },
    moves: (world) => moves.of(world),
    keyOf: (world) => keyOf(world, timing.leaseDurationMs),
    problemOf: ({ problem, candidates, now }) => {
      const leaders = candidates.filter(({ state }) => subject.leads(state, now));
      if (leaders.length > 1) return `${leaders.length} lead at once`;
      const isHeld = leaders.every(({ stopsAt, tenures }) => stopsAt !== undefined || tenures.some((one) => subject.lasts(one.state, now)));
      return problem ?? (isHeld ? undefined : 'one leads, and its leadership is over');
    },
    calm: {
      within: 80,
      isReached: ({ candidates, now }) => candidates.some(({ state, stopsAt }) => stopsAt === undefined && subject.leads(state, now)),
      next: (world) => moves.calm(world),
      timeOf: (from, to) => to.now - from.now,
    },
  };
  return {
    ...machine,
    begin: replay(
      machine,
      beginning.filter((name) => bounds.candidates > 2 || !name.startsWith('c2')),
    ).state,
  };
}

class ElectorMoves {
  private readonly subject: Subject;
  private readonly bounds: ElectorBounds;

  constructor(subject: Subject, bounds: ElectorBounds) {
    this.subject = subject;
    this.bounds = bounds;
  }

  of(world: World): readonly Move<World>[] {
    const moves: Move<World>[] = [];
    const add = (name: string, to: World): void => void moves.push({ name, to });
    world.candidates.forEach((one, index) => {
      this.attempts(world, one, index, add);
      this.work(world, one, index, add);
      this.ends(world, one, index, add);
    });
    world.strays.forEach((request, at) => {
      const rest = world.strays.filter((_, other) => other !== at);
      add(`a late ${request.verb} arrives`, { ...this.serve(world, request).world, strays: rest });
    });
    if (world.left.deletions > 0 && world.lease !== undefined) {
      add('somebody deletes the lease', { ...world, lease: undefined, left: { ...world.left, deletions: world.left.deletions - 1 } });
    }
    add('1 s passes', { ...world, now: world.now + 1000 });
    add('3 s pass', { ...world, now: world.now + 3000 });
    return moves;
  }

  /** All requests are answered one after the other, then time passes, and work ends. */
  calm(world: World): Move<World> | undefined {
    const moves = this.of({ ...world, strays: [], left: { crashes: 0, stops: 0, deletions: 0 } });
    const busy = moves.find(({ name }) => / is answered| work ends| gives up stopping/.test(name));
    if (busy !== undefined) return busy;
    const turn = moves.filter(({ name }) => name.endsWith(' tries'));
    // Each candidate tries once a second, in the order of their timers.
    const seen = world.candidates.map(({ state }, index) => ({ index, at: state.seen?.at ?? -Infinity }));
    const next = turn.find(({ name }) => seen.some(({ index, at }) => name.startsWith(nameOf(index)) && at === -Infinity));
    return next ?? this.passAndTry(world);
  }

  /** A second passes, and everybody has tried by its end. */
  private passAndTry(before: World): Move<World> {
    let world: World = { ...before, now: before.now + timing.retryPeriodMs, strays: [] };
    world.candidates.forEach((_, index) => {
      const one = (): Candidate => world.candidates[index] as Candidate;
      if (one().stopsAt !== undefined) return;
      world = this.apply(world, index, { type: 'due', now: world.now, date: this.dateOf(world) });
      for (let flight = one().flight; flight !== undefined; flight = one().flight) world = this.answered(world, index, flight);
    });
    return { name: '1 s passes, and all have tried', to: world };
  }

  // Attempts

  private attempts(world: World, one: Candidate, index: number, add: (name: string, to: World) => void): void {
    const name = nameOf(index);
    const { flight, state, stopsAt } = one;
    if (stopsAt !== undefined) return;
    if (state.term !== undefined && world.now >= state.term.until) {
      add(`${name} looks at its deadline`, this.apply(world, index, { type: 'deadline', now: world.now }));
    }
    if (flight === undefined) {
      add(`${name} tries`, this.apply(world, index, { type: 'due', now: world.now, date: this.dateOf(world) }));
      return;
    }
    add(`${name} is answered`, this.answered(world, index, flight));
    if (flight.answer === undefined) {
      const { world: served, answer } = this.serve(world, flight.request);
      add(`the ${flight.request.verb} of ${name} is carried out`, withCandidate(served, index, { ...one, flight: { ...flight, answer } }));
    }
    add(`${name} waits no longer`, this.apply(this.abandon(world, index), index, { type: 'failed', now: world.now }));
  }

  private answered(world: World, index: number, flight: Flight): World {
    const { world: served, answer } = flight.answer === undefined ? this.serve(world, flight.request) : { world, answer: flight.answer };
    const { now } = served;
    const date = this.dateOf(served);
    const landed = withCandidate(served, index, { ...(served.candidates[index] as Candidate), flight: undefined });
    if (answer === 'refused') return this.apply(landed, index, { type: 'failed', now });
    if (answer === 'missing') return this.apply(landed, index, { type: 'missing', now, date });
    const { lease } = answer;
    const { verb } = flight.request;
    return this.apply(
      landed,
      index,
      verb === 'get' ? { type: 'found', lease, now, date } : { type: 'written', lease, sentAt: flight.sentAt, now },
    );
  }

  /** The request of a candidate that has stopped waiting: a write may still arrive. */
  private abandon(world: World, index: number): World {
    const one = world.candidates[index] as Candidate;
    const { flight } = one;
    const isStray = flight !== undefined && flight.answer === undefined && flight.request.verb !== 'get';
    const strays = isStray ? [...world.strays, flight.request].slice(-maxStrays) : world.strays;
    return withCandidate({ ...world, strays }, index, { ...one, flight: undefined });
  }

  private dateOf({ writes }: World): number {
    return writes * 1000;
  }

  /** Applies the effects of the rules, as the class `Candidate` does. */
  private apply(world: World, index: number, event: ElectionEvent): World {
    const one = world.candidates[index] as Candidate;
    const rules: ElectionRules = { identity: nameOf(index), lease: { namespace: 'ns', name: 'lease' }, ...timing };
    const { state, request } = this.subject.electionStep(one.state, event, rules);
    const flight: Flight | undefined = request && { request, sentAt: world.now };
    // Each write has a new date, so that no two are equal.
    const writes = request === undefined || request.verb === 'get' ? world.writes : world.writes + 1;
    const after = {
      ...one,
      state: { ...state, ...(request === undefined && { phase: 'idle' as const }) },
      flight: flight ?? (event.type === 'deadline' ? one.flight : undefined),
    };
    return this.follow({ ...withCandidate(world, index, after), writes }, index, one.state.term);
  }

  /** Leaderships begin, last longer and end with the term. */
  private follow(world: World, index: number, before: Term | undefined): World {
    const one = world.candidates[index] as Candidate;
    const { term } = one.state;
    let { tenures } = one;
    if (before !== undefined && before.token !== term?.token) tenures = tenures.map((tenure) => this.step(tenure, { type: 'end' }));
    if (term === undefined) return withCandidate(world, index, { ...one, tenures });
    const isNew = before?.token !== term.token;
    if (isNew) {
      const lasting = tenures.filter(({ work }) => work !== 'none').slice(-1);
      tenures = [...lasting, { token: term.token, state: { phase: 'open', until: term.until, works: 0 }, work: 'none' }];
    } else
      tenures = tenures.map((tenure) => (tenure.token === term.token ? this.step(tenure, { type: 'renewed', until: term.until }) : tenure));
    const next = withCandidate(world, index, { ...one, tenures });
    if (!isNew) return next;
    const isHigher = term.token > world.highestToken;
    return {
      ...next,
      highestToken: term.token,
      problem: isHigher ? world.problem : `token ${term.token} comes after ${world.highestToken}`,
    };
  }

  private step(tenure: Tenure, event: TenureEvent): Tenure {
    return { ...tenure, state: this.subject.tenureStep(tenure.state, event).state };
  }

  // Work

  private work(world: World, one: Candidate, index: number, add: (name: string, to: World) => void): void {
    const name = nameOf(index);
    const change = (tenure: Tenure, to: Tenure): World =>
      withCandidate(world, index, { ...one, tenures: one.tenures.map((other) => (other === tenure ? to : other)) });
    for (const tenure of one.tenures) {
      const { work, token } = tenure;
      if (work === 'none') {
        const { state, effects } = this.subject.tenureStep(tenure.state, { type: 'enter', now: world.now });
        if (effects.includes('grant')) add(`${name} begins work`, change(tenure, { ...tenure, state, work: 'works' }));
        continue;
      }
      add(`${name} work ends, number ${token}`, change(tenure, { ...this.step(tenure, { type: 'leave' }), work: 'none' }));
      const sent = this.sends(world, one, index, tenure);
      if (sent !== undefined) {
        add(`${name} writes, number ${token}${work === 'waits' ? ', again' : ''}`, sent);
        if (work === 'works') add(`${name} writes, number ${token}, and is to come again later`, withWork(sent, index, token, 'waits'));
      }
    }
  }

  /** A write is sent if the leadership allows it. */
  private sends(world: World, one: Candidate, index: number, tenure: Tenure): World | undefined {
    const through = this.bounds.followsMoment === true ? (one.tenures.at(-1) as Tenure) : tenure;
    const { state, effects } = this.subject.tenureStep(through.state, { type: 'send', now: world.now });
    const tenures = one.tenures.map((other) => (other === through ? { ...other, state } : other));
    const after = withCandidate(world, index, { ...one, tenures });
    if (!effects.includes('grant')) return state === through.state ? undefined : after;
    const other = world.candidates.findIndex((candidate, at) => at !== index && this.subject.leads(candidate.state, world.now));
    if (other >= 0) return { ...after, problem: `${nameOf(index)} writes as number ${tenure.token} while ${nameOf(other)} leads` };
    return through.token === tenure.token
      ? after
      : { ...after, problem: `what began as number ${tenure.token} writes as number ${through.token}` };
  }

  // Ends

  private ends(world: World, one: Candidate, index: number, add: (name: string, to: World) => void): void {
    const name = nameOf(index);
    const { left } = world;
    const gone = (from: World): World => withCandidate(from, index, { state: this.subject.outsider, tenures: [] });
    if (one.stopsAt !== undefined) {
      const isBusy = one.tenures.some(({ state }) => state.works > 0);
      if (!isBusy) add(`${name} gives the lease back`, gone(this.release(world, one, index)));
      else if (world.now >= one.stopsAt) add(`${name} gives up stopping`, gone(world));
    } else if (left.stops > 0) {
      const abandoned = this.abandon({ ...world, left: { ...left, stops: left.stops - 1 } }, index);
      const stopping = abandoned.candidates[index] as Candidate;
      const tenures = stopping.tenures.map((tenure) => this.step(tenure, { type: 'end' }));
      add(
        `${name} is told to stop`,
        withCandidate(abandoned, index, { ...stopping, tenures, stopsAt: one.state.term?.until ?? world.now }),
      );
    }
    if (left.crashes > 0) {
      add(`${name} is killed and starts again`, gone(this.abandon({ ...world, left: { ...left, crashes: left.crashes - 1 } }, index)));
    }
  }

  /** The lease is read, and written if it still is this candidate's. */
  private release(world: World, one: Candidate, index: number): World {
    const { lease } = world;
    if (lease === undefined || this.subject.recordOf(lease).holder !== nameOf(index)) return world;
    const works = one.tenures.filter(({ work }) => work !== 'none').map(({ token }) => token);
    const nobodys = this.subject.leaseOfNobody(lease, this.dateOf(world));
    const { world: served } = this.serve({ ...world, writes: world.writes + 1 }, { verb: 'update', lease: nobodys });
    if (works.length === 0) return served;
    return { ...served, problem: `${nameOf(index)} gives the lease back while number ${works.join()} works` };
  }

  // The server

  private serve(world: World, request: ElectionRequest): { readonly world: World; readonly answer: Answer } {
    const { lease } = world;
    if (request.verb === 'get') return { world, answer: lease === undefined ? 'missing' : { lease } };
    if (request.verb === 'create' && lease !== undefined) return { world, answer: 'refused' };
    const expected = request.lease.metadata?.resourceVersion;
    if (request.verb === 'update' && (lease === undefined || expected !== lease.metadata?.resourceVersion))
      return { world, answer: 'refused' };
    const { writes } = world;
    const metadata = { ...request.lease.metadata, resourceVersion: String(writes) };
    const stored: V1Lease = { ...request.lease, metadata };
    return { world: { ...world, lease: stored, writes: writes + 1 }, answer: { lease: stored } };
  }
}

function withCandidate(world: World, index: number, candidate: Candidate): World {
  return { ...world, candidates: world.candidates.map((other, at) => (at === index ? candidate : other)) };
}

function withWork(world: World, index: number, token: number, work: Tenure['work']): World {
  const one = world.candidates[index] as Candidate;
  return withCandidate(world, index, {
    ...one,
    tenures: one.tenures.map((tenure) => (tenure.token === token ? { ...tenure, work } : tenure)),
  });
}
