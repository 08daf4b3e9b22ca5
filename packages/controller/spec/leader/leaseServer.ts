import { VirtualTimeScheduler } from 'rxjs';
import { ApiError, type KubeClient, type V1Lease } from 'rx-informer';
import type { RequestOptions } from 'rx-informer/internal';

function refusal(code: number, reason: string): ApiError {
  return new ApiError({
    code,
    message: reason,
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason },
  });
}

/** Promises are not driven by virtual time: lets those under way settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
}

/** A server that knows one lease, in virtual time. */
export class LeaseServer {
  readonly scheduler: VirtualTimeScheduler = new VirtualTimeScheduler();
  /** What was asked for, with the moment: `2000 get`. */
  readonly requests: string[] = [];
  readonly bounds: (number | undefined)[] = [];
  lease: V1Lease | undefined;
  private version = 0;
  private readonly faults: { readonly verb: string; readonly answer: () => Promise<V1Lease> }[] = [];

  /** A client of the server. The log prefixes its requests with its name. */
  client(who = ''): KubeClient {
    const ask = (verb: string, options: RequestOptions | undefined, answer: () => V1Lease): Promise<V1Lease> => {
      this.requests.push(`${this.scheduler.now()} ${who}${who === '' ? '' : ' '}${verb}`);
      this.bounds.push(options?.timeoutMs);
      const at = this.faults.findIndex((fault) => fault.verb === verb || fault.verb === `${who} ${verb}`);
      const [fault] = at === -1 ? [] : this.faults.splice(at, 1);
      return fault === undefined ? Promise.resolve().then(answer) : fault.answer();
    };
    return {
      get: (_resource: unknown, _name: string, options?: RequestOptions) =>
        ask('get', options, () => {
          if (this.lease === undefined) throw refusal(404, 'NotFound');
          return this.lease;
        }),
      create: (_resource: unknown, lease: V1Lease, options?: RequestOptions) =>
        ask('create', options, () => {
          if (this.lease !== undefined) throw refusal(409, 'AlreadyExists');
          return this.store(lease);
        }),
      replace: (_resource: unknown, lease: V1Lease, options?: RequestOptions) =>
        ask('replace', options, () => {
          if (lease.metadata?.resourceVersion !== this.lease?.metadata?.resourceVersion) throw refusal(409, 'Conflict');
          return this.store(lease);
        }),
    } as unknown as KubeClient;
  }

  store(lease: V1Lease): V1Lease {
    this.version += 1;
    this.lease = { ...lease, metadata: { ...lease.metadata, uid: 'u', resourceVersion: String(this.version) } };
    return this.lease;
  }

  /** Another program's lease. */
  heldBy(holderIdentity: string, spec: V1Lease['spec'] = {}): V1Lease {
    return this.store({
      metadata: { namespace: 'ns', name: 'lease', ...this.lease?.metadata },
      spec: { leaseDurationSeconds: 15, leaseTransitions: 4, ...spec, holderIdentity },
    });
  }

  /** The next request with this verb fails. */
  fail(verb: string, code: number, reason: string): void {
    this.faults.push({ verb, answer: () => Promise.reject(refusal(code, reason)) });
  }

  /** The next request with this verb is never answered; it fails after `ms`. */
  hang(verb: string, ms: number): void {
    const answer = (): Promise<V1Lease> =>
      new Promise((_, reject) => {
        this.scheduler.schedule(() => reject(new Error('no answer')), ms);
      });
    this.faults.push({ verb, answer });
  }

  async advance(ms: number): Promise<void> {
    await settle();
    const end = this.scheduler.now() + ms;
    this.scheduler.schedule(() => undefined, ms);
    // One frame after the other, with promises settled in between.
    while (this.scheduler.now() < end) {
      this.scheduler.maxFrames = Math.min(end, ...this.scheduler.actions.map(({ delay }) => delay));
      this.scheduler.flush();
      await settle();
    }
  }

  take(): string[] {
    return this.requests.splice(0);
  }
}
