import { setTimeout as delay } from 'node:timers/promises';
import { Subscription } from 'rxjs';
import { createInformer, type KubeClient, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { sharding } from 'rx-informer/pipeline';
import { electLeader, joinShards } from '@rx-informer/controller';
import { Beside, type Room, Told } from './room.js';

interface Replica {
  stop(): Promise<unknown>;
}

const timing = { leaseDurationMs: 4000, renewDeadlineMs: 2500, retryPeriodMs: 500 };
const replicas = 2;
/** The period after which a replica leaves and a new one joins. */
const stayMs = 10_000;

/** Replicas that compete for a lease and share keys by shards. They leave and join one after the other. */
export class LeaseRoom implements Room {
  private readonly counter = new Told('led', 'reconciled under a lease', 'shard', 'reconciled in a shard');
  readonly told: Room['told'] = this.counter.counts;
  private readonly client: KubeClient;
  private readonly informer: SharedInformer<V1ConfigMap>;
  private readonly running: Replica[] = [];
  private readonly beside = new Beside();
  private started = 0;

  constructor(client: KubeClient, informer: SharedInformer<V1ConfigMap>) {
    this.client = client;
    this.informer = informer;
    while (this.running.length < replicas) this.running.push(this.startReplica());
  }

  pass(): void {
    this.beside.begin(async () => {
      await delay(stayMs);
      await this.running.shift()?.stop();
      this.running.push(this.startReplica());
    });
  }

  async leave(): Promise<void> {
    await this.beside.end();
    for (const replica of this.running) await replica.stop();
  }

  private startReplica(): Replica {
    const { client, informer, counter } = this;
    this.started += 1;
    const identity = `replica-${String(this.started % 100)}`;
    const election = electLeader(client, { lease: { namespace: 'default', name: 'soak' }, identity, ...timing });
    const shards = joinShards(client, { namespace: 'default', name: 'soak-shards', identity, ...timing });
    const all = new Subscription();
    const led = election.whileLeading(() => {
      counter.note('led')();
      return informer.process(() => Promise.resolve());
    });
    all.add(led.subscribe(counter.observer('reconciled under a lease')));
    all.add(shards.shard$.subscribe(counter.observer('shard')));
    const own = createInformer(client, resources.core.v1.configmaps, { namespace: 'default', parts: [sharding(shards)] });
    all.add(
      shards
        .reconcile({ name: 'soak', primary: own, reconcile: () => Promise.resolve() })
        .subscribe(counter.observer('reconciled in a shard')),
    );
    election.start();
    shards.start();
    return {
      stop: async () => {
        await Promise.all([election.stop(), shards.stop()]);
        all.unsubscribe();
        await own.stop();
      },
    };
  }
}
