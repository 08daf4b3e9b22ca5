import { filter, type Subscription } from 'rxjs';
import { messageOf } from 'rx-informer/internal';
import { boundClient } from '../leader/boundClient.js';
import { electLeader, type LeaderElection } from '../leader/electLeader.js';
import { LeaderElectionError } from '../leader/leaderElectionError.js';
import type { Leadership } from '../leader/leadership.js';
import { Tenure } from '../leader/tenure.js';
import { joinShards, type Shards } from '../shards/joinShards.js';
import type { ControllerGroup } from './controllerGroup.js';
import type { ManagerMetrics } from './managerMetrics.js';
import type { ManagerSettings } from './managerOptions.js';
import type { Check } from './probeServer.js';

/** An error message with that of its cause. */
function withCause({ message, cause }: Error): string {
  return cause === undefined ? message : `${message}: ${messageOf(cause)}`;
}

function checkOf(name: string, error: Error | undefined): Check {
  return { name, problem: error === undefined ? undefined : withCause(error) };
}

/** The leases of a manager: that of the leader, and that of a member of a group of shards. */
export class Membership {
  /** The tenure of requests for the leader's lease. */
  readonly candidacy: Tenure = new Tenure({ what: 'The drain is over', now: () => 0 });
  readonly shards: Shards | undefined;
  election: LeaderElection | undefined;
  leadership: Leadership | undefined;
  private readonly settings: ManagerSettings;
  private readonly fail: (cause: unknown) => void;

  /** Creates the member of the group of shards; the first controller that works joins the group. */
  constructor(settings: ManagerSettings, fail: (cause: unknown) => void) {
    this.settings = settings;
    this.fail = fail;
    const { client, shards, drainMs, logger, scheduler } = settings;
    if (shards === undefined) return;
    this.shards = joinShards(client, { drainMs, ...shards, scheduler });
    this.shards.error$.subscribe({ next: (failure) => logger.error(withCause(failure)), error: fail });
    this.shards.shard$.pipe(filter(({ isActive }) => isActive)).subscribe({
      next: ({ slots, members }) => logger.info(`shard: ${slots.size} of 128 slots, members ${members.join(', ')}`),
      error: fail,
    });
  }

  /** Runs the controllers: those that need no leader at once, the others while this process leads. */
  work(group: ControllerGroup, metrics: ManagerMetrics | undefined): readonly Subscription[] {
    const { leaderElection, client, logger, scheduler } = this.settings;
    const error = this.fail;
    const always = group.work(false).subscribe({ error });
    if (leaderElection === undefined) return [always];
    const sink = metrics === undefined ? {} : { metrics: metrics.leader(leaderElection.metrics) };
    const election = electLeader(
      boundClient(client, () => this.candidacy),
      { ...leaderElection, ...sink, scheduler },
    );
    this.election = election;
    election.error$.subscribe({ next: (failure) => logger.error(withCause(failure)), error });
    election.leader$.subscribe({
      next: ({ holder, isSelf }) => logger.info(isSelf ? `leads as ${holder}` : `leader: ${holder || 'nobody'}`),
      error,
    });
    election.leadership$.subscribe({ next: (leadership) => this.follow(leadership), error });
    return [always, election.whileLeading(() => group.work(true)).subscribe({ error })];
  }

  /** The checks of `/healthz`: whether the process goes on asking for its leases. */
  alive(): readonly Check[] {
    const { election, shards } = this;
    const checks = [{ name: 'leader election', problem: election?.check()?.message }];
    return shards === undefined ? checks : [...checks, { name: 'shards', problem: shards.check()?.message }];
  }

  /** The checks of `/readyz`: whether the leases can be read and written. */
  ready(): readonly Check[] {
    const { election, shards } = this;
    const { staleAfterMs } = this.settings;
    return [
      ...(election === undefined ? [] : [checkOf('leader election', election.failure(staleAfterMs))]),
      ...(shards === undefined ? [] : [checkOf('shards', shards.failure(staleAfterMs))]),
    ];
  }

  private follow(leadership: Leadership | undefined): void {
    const before = this.leadership;
    this.leadership = leadership;
    if (before === undefined || leadership !== undefined || this.settings.afterLeadership !== 'end') return;
    this.fail(new LeaderElectionError('ERR_LEADERSHIP_LOST', `Leadership number ${before.token} of ${before.identity} is over`));
  }
}
