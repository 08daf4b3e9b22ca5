import type { Observable } from 'rxjs';
import { filterUpdates, generationChanged, isConditionTrue, resources, type V1Job, type V1JobStatus, type V1Pod } from 'rx-informer';
import { type Outcome, ownerKeys } from '@rx-informer/controller';
import { FreshPods } from './freshPods.js';
import { isActive } from './podState.js';
import { recordEvent } from './recordEvent.js';
import { dependentsOf, loopOver, podOf, timestampOf, tolerate, type WorkloadContext } from './workloadContext.js';

const defaultBackoffLimit = 6;
const component = 'job-controller';
const ends = {
  Complete: { reason: 'Completed', message: 'Job completed' },
  Failed: { type: 'Warning', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
} as const;

/** The interim condition of a job: the terminal condition follows when no pod is active. */
const targets = { Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' } as const;

/** The progress of a job. */
interface Progress {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly end: 'Complete' | 'Failed' | undefined;
}

function progressOf(job: V1Job, pods: readonly V1Pod[]): Progress {
  const phases = pods.map(({ status }) => status?.phase);
  const succeeded = phases.filter((phase) => phase === 'Succeeded').length;
  const failed = phases.filter((phase) => phase === 'Failed').length;
  const isComplete = succeeded >= (job.spec?.completions ?? 1);
  const isFailed = failed > (job.spec?.backoffLimit ?? defaultBackoffLimit);
  return { active: pods.filter(isActive).length, succeeded, failed, end: isComplete ? 'Complete' : isFailed ? 'Failed' : undefined };
}

async function startPods(context: WorkloadContext, fresh: FreshPods, job: V1Job, { active, succeeded }: Progress): Promise<void> {
  const { completions = 1, parallelism = 1, template } = job.spec ?? {};
  const { name = '' } = job.metadata ?? {};
  const missing = Math.min(parallelism, completions - succeeded) - active - fresh.pending(job);
  const labels = { ...template?.metadata?.labels, 'batch.kubernetes.io/job-name': name, 'job-name': name };
  for (let left = missing; left > 0; left -= 1) {
    const podName = await fresh.create(job, (own) => podOf(job, { ...template, metadata: { ...template?.metadata, labels } }, own));
    const event = { component, reason: 'SuccessfulCreate', message: `Created pod: ${podName ?? ''}` };
    if (podName !== undefined) await recordEvent(context, resources.batch.v1.jobs, job, event);
  }
}

/** Deletes the pods that still run after the job has ended. */
async function stopPods({ client }: WorkloadContext, pods: readonly V1Pod[]): Promise<void> {
  for (const { metadata: { name = '', namespace = '' } = {} } of pods.filter(isActive))
    await tolerate(client.delete(resources.core.v1.pods, name, { namespace }));
}

function statusOf(job: V1Job, { active, succeeded, failed, end }: Progress, now: string): V1JobStatus {
  return {
    active,
    succeeded,
    failed,
    startTime: job.status?.startTime ?? now,
    ...(end === 'Complete' && active === 0 && { completionTime: now }),
    ...(end !== undefined && {
      conditions: [targets[end], ...(active === 0 ? [end] : [])].map((type) => ({ type, status: 'True', lastTransitionTime: now })),
    }),
  };
}

/** Simulates the job controller: runs the pods of a Job to completion, and counts them in its status. */
export function jobLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, jobs, pods, scheduler } = context;
  const fresh = new FreshPods(context);
  const sources = {
    jobs: jobs.resource$.pipe(filterUpdates(generationChanged)),
    pods: fresh.noted(pods.resource$).pipe(ownerKeys(resources.batch.v1.jobs)),
  };
  return loopOver(jobs, { sources, caches: [jobs, pods], scheduler }, async (job, name, namespace) => {
    if (isConditionTrue(job, 'Complete') || isConditionTrue(job, 'Failed')) return;
    const dependents = dependentsOf(pods, job);
    const progress = progressOf(job, dependents);
    if (progress.end === undefined && job.spec?.suspend !== true) await startPods(context, fresh, job, progress);
    else await stopPods(context, dependents);
    const status = statusOf(job, progress, timestampOf(scheduler.now()));
    const written = await tolerate(client.status.patch(resources.batch.v1.jobs, name, 'merge', { status }, { namespace }));
    const ended = written && progress.end !== undefined && progress.active === 0 ? ends[progress.end] : undefined;
    if (ended !== undefined) await recordEvent(context, resources.batch.v1.jobs, job, { component, ...ended });
  });
}
