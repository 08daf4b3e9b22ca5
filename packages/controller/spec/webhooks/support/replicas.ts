import { asyncScheduler, type SchedulerLike } from 'rxjs';
import type { KubeClient } from 'rx-informer';
import type { Webhook } from '../../../src/webhooks/webhook.js';
import { type RunningWebhooks, serveWebhooks } from '../../../src/webhooks/serveWebhooks.js';

/** The Service of the webhooks in specs. */
export const service = { namespace: 'guard', name: 'guard' };
export const secret = { namespace: 'guard', name: 'guard-certificates' };

/** A clock that runs with the machine's, but can be set forward. */
export class ShiftedClock {
  private aheadMs = 0;
  readonly scheduler: SchedulerLike = {
    now: () => Date.now() + this.aheadMs,
    schedule: asyncScheduler.schedule.bind(asyncScheduler),
  };

  forwardBy(ms: number): void {
    this.aheadMs += ms;
  }
}

/** One replica of a program that makes its own certificates. */
export function startReplica(client: KubeClient, webhooks: readonly Webhook[], lines: string[]): RunningWebhooks {
  const logger = { info: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  const certificates = { secret, lifetimeMs: 600_000 };
  return serveWebhooks({ client, webhooks, port: 0, host: '127.0.0.1', service, certificates, logger });
}

/** Repeats a request until it has a result. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  let problem: unknown = 'no result';
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const answer = await ask().catch((error: unknown) => void (problem = error));
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw problem;
}
