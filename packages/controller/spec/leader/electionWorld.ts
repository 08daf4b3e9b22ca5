import type { V1Lease } from 'rx-informer';
import {
  electionStep,
  type ElectionEvent,
  type ElectionRequest,
  type ElectionRules,
  type ElectionState,
  leads,
  outsider,
} from '../../src/leader/electionStep.js';
import { leaseOfNobody, recordOf } from '../../src/leader/leaseRecord.js';

type Answer = { readonly lease: V1Lease } | { readonly missing: true } | { readonly refused: true };

interface Flight {
  readonly request: ElectionRequest;
  readonly sentAt: number;
  answer?: Answer;
}

/** One candidate with a clock of arbitrary start and rate. */
interface Simulated {
  readonly rules: ElectionRules;
  readonly offset: number;
  readonly rate: number;
  state: ElectionState;
  frozen: boolean;
  flight?: Flight | undefined;
}

export interface CandidateInit {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly offset: number;
  readonly rate: number;
}

/**
 * Candidates, a server and a network between them. Nothing happens by itself: requests arrive, answers arrive or are lost, and candidates freeze, crash and
 * resign when they are told to.
 */
export class ElectionWorld {
  readonly candidates: readonly Simulated[];
  readonly tokens: number[] = [];
  private now = 0;
  private version = 0;
  private lease: V1Lease | undefined;
  /** Abandoned requests that are still on their way. */
  private readonly stray: ElectionRequest[] = [];

  constructor(inits: readonly CandidateInit[]) {
    this.candidates = inits.map(({ leaseDurationMs, renewDeadlineMs, offset, rate }, index) => ({
      rules: { identity: `c${index}`, lease: { namespace: 'ns', name: 'lease' }, leaseDurationMs, renewDeadlineMs },
      ...{ offset, rate },
      state: outsider,
      frozen: false,
    }));
  }

  leaders(): readonly string[] {
    return this.candidates.filter((one) => leads(one.state, this.clockOf(one))).map(({ rules }) => rules.identity);
  }

  pass(ms: number): void {
    this.now += ms;
  }

  begin(index: number): void {
    const one = this.of(index);
    if (one.frozen || one.flight !== undefined) return;
    this.apply(one, { type: 'due', now: this.clockOf(one), date: this.now });
  }

  /** The server carries a request out. */
  arrive(index: number): void {
    const { flight } = this.of(index);
    if (flight !== undefined) flight.answer ??= this.serve(flight.request);
  }

  answer(index: number): void {
    const one = this.of(index);
    const { flight } = one;
    if (one.frozen || flight?.answer === undefined) return;
    one.flight = undefined;
    this.apply(one, this.eventOf(one, flight, flight.answer));
  }

  /** The candidate waits no longer; the request may arrive later. */
  giveUp(index: number): void {
    const one = this.of(index);
    if (one.frozen || one.flight === undefined) return;
    this.abandon(one);
    this.apply(one, { type: 'failed', now: this.clockOf(one) });
  }

  arriveLate(): void {
    const request = this.stray.shift();
    if (request !== undefined) this.serve(request);
  }

  freeze(index: number, frozen: boolean): void {
    this.of(index).frozen = frozen;
  }

  /** The program ends and restarts with the same identity. */
  crash(index: number): void {
    const one = this.of(index);
    this.abandon(one);
    one.state = outsider;
    one.frozen = false;
  }

  /** The program releases the lease, if it holds it, and restarts; that write may be late as well. */
  resign(index: number): void {
    const one = this.of(index);
    if (one.frozen) return;
    this.crash(index);
    const { lease } = this;
    if (lease !== undefined && recordOf(lease).holder === one.rules.identity) {
      this.stray.push({ verb: 'update', lease: leaseOfNobody(lease, this.now) });
    }
  }

  /** A whole attempt with a good network. */
  attempt(index: number): void {
    this.begin(index);
    for (let turn = 0; turn < 5; turn += 1) {
      this.arrive(index);
      this.answer(index);
    }
  }

  private of(index: number): Simulated {
    return this.candidates[index % this.candidates.length] as Simulated;
  }

  private clockOf({ offset, rate }: Simulated): number {
    return offset + this.now * rate;
  }

  private abandon(one: Simulated): void {
    if (one.flight !== undefined && one.flight.answer === undefined) this.stray.push(one.flight.request);
    one.flight = undefined;
  }

  private apply(one: Simulated, event: ElectionEvent): void {
    const led = leads(one.state, event.now) ? one.state.term?.token : undefined;
    const { state, request } = electionStep(one.state, event, one.rules);
    one.state = state;
    if (state.term !== undefined && state.term.token !== led) this.tokens.push(state.term.token);
    if (request !== undefined) one.flight = { request, sentAt: this.clockOf(one) };
  }

  private eventOf(one: Simulated, { request, sentAt }: Flight, answer: Answer): ElectionEvent {
    const now = this.clockOf(one);
    if ('refused' in answer) return { type: 'failed', now };
    if ('missing' in answer) return { type: 'missing', now, date: this.now };
    return request.verb === 'get'
      ? { type: 'found', lease: answer.lease, now, date: this.now }
      : { type: 'written', lease: answer.lease, sentAt, now };
  }

  private serve(request: ElectionRequest): Answer {
    if (request.verb === 'get') return this.lease === undefined ? { missing: true } : { lease: this.lease };
    if (request.verb === 'create' && this.lease !== undefined) return { refused: true };
    const expected = request.lease.metadata?.resourceVersion;
    if (request.verb === 'update' && expected !== this.lease?.metadata?.resourceVersion) return { refused: true };
    this.version += 1;
    this.lease = { ...request.lease, metadata: { ...request.lease.metadata, resourceVersion: String(this.version) } };
    return { lease: this.lease };
  }
}
