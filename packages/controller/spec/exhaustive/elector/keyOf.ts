import type { V1Lease } from 'rx-informer';
import type { Candidate, Flight, World } from './world.js';

const ofTwo: readonly (readonly number[])[] = [
  [0, 1],
  [1, 0],
];
const ofThree: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** How leases are written: by who holds them, their token above the lowest, the order of their dates, and whether they are what the server has. */
type LeaseKey = (lease: V1Lease | undefined, named: readonly number[]) => string;

function leasesOf({ lease, candidates, strays }: World): readonly (V1Lease | undefined)[] {
  const ofRequests = [...strays, ...candidates.flatMap(({ flight }) => flight?.request ?? [])];
  const answered = candidates.map(({ flight }) => (typeof flight?.answer === 'object' ? flight.answer.lease : undefined));
  return [
    lease,
    ...candidates.map(({ state }) => state.seen?.lease),
    ...answered,
    ...ofRequests.map((request) => (request.verb === 'get' ? undefined : request.lease)),
  ];
}

function leaseKeys(world: World, lowest: number): LeaseKey {
  const dates = [...new Set(leasesOf(world).map((lease) => lease?.spec?.renewTime ?? ''))].sort();
  const current = world.lease?.metadata?.resourceVersion;
  return (lease, named) => {
    if (lease === undefined) return '-';
    const { holderIdentity = '', leaseTransitions = 0, renewTime = '' } = lease.spec ?? {};
    const holder = holderIdentity === '' ? '' : named[Number(holderIdentity.slice(1))];
    const version = lease.metadata?.resourceVersion;
    return `${holder}.${leaseTransitions - lowest}.${dates.indexOf(renewTime)}${version === undefined ? 'n' : version === current ? '=' : '<'}`;
  };
}

function flightKey(flight: Flight | undefined, now: number, leaseKey: (lease: V1Lease | undefined) => string): string {
  if (flight === undefined) return '';
  const { request, sentAt, answer } = flight;
  const sent = request.verb === 'get' ? '' : `${leaseKey(request.lease)}@${Math.min(now - sentAt, 3000)}`;
  return `${request.verb[0]}${sent}>${answer === undefined ? '' : typeof answer === 'string' ? answer[0] : leaseKey(answer.lease)}`;
}

function candidateKey(
  { state, flight, tenures, stopsAt }: Candidate,
  { now }: World,
  leaseMs: number,
  lowest: number,
  leaseKey: (lease: V1Lease | undefined) => string,
): string {
  const { phase, seen, term } = state;
  const until = (time: number): number => Math.max(time - now, 0) / 1000;
  return [
    phase[0],
    seen === undefined ? '' : `${leaseKey(seen.lease)}@${Math.min(now - seen.at, leaseMs)}`,
    term === undefined ? '' : `${term.token - lowest}@${until(term.until)}`,
    flightKey(flight, now, leaseKey),
    ...tenures.map(
      ({ token, state: { phase: of, until: end, works }, work }) => `${token - lowest}${of[0]}${until(end)}${works}${work.slice(0, 2)}`,
    ),
    stopsAt === undefined ? '' : `s${until(stopsAt)}`,
  ].join(';');
}

/**
 * The same key for worlds that behave alike: candidates have no names, times are relative and capped, and versions are either the server's
 * or older.
 */
export function keyOf(world: World, leaseMs: number): string {
  const { candidates, strays, lease, highestToken, left, problem } = world;
  const tokens = leasesOf(world).map((one) => one?.spec?.leaseTransitions ?? Infinity);
  const lowest = Math.min(highestToken, ...tokens, ...candidates.flatMap(({ tenures }) => tenures.map(({ token }) => token)));
  const leaseKey = leaseKeys(world, lowest);
  const keyOfOne = (index: number, named: readonly number[]): string =>
    candidateKey(candidates[index] as Candidate, world, leaseMs, lowest, (one) => leaseKey(one, named));
  // What each candidate is without a name for the others: only those that are equal so far are tried in every order.
  const alone = candidates.map((_, index) =>
    keyOfOne(
      index,
      candidates.map((__, other) => Number(other !== index)),
    ),
  );
  let least: string | undefined;
  for (const order of candidates.length === 2 ? ofTwo : ofThree) {
    if (order.some((index, place) => place > 0 && (alone[order[place - 1] as number] as string) > (alone[index] as string))) continue;
    // The first candidate is called 0.
    const named = order.map((_, index) => order.indexOf(index));
    const ofLease = (one: V1Lease | undefined): string => leaseKey(one, named);
    const key = [
      ...order.map((index) => keyOfOne(index, named)),
      ofLease(lease),
      ...strays.map((request) => `${request.verb[0]}${request.verb === 'get' ? '' : ofLease(request.lease)}`).sort(),
    ].join(' ');
    if (least === undefined || key < least) least = key;
  }
  return `${least} ${highestToken - lowest} ${left.crashes}${left.stops}${left.deletions} ${problem ?? ''}`;
}
