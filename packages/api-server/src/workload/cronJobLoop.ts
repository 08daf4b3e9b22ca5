import type { Observable } from 'rxjs';
import { isConditionTrue, resources, type V1CronJob, type V1Job } from 'rx-informer';
import { type Outcome, ownerKeys, ownerReferenceOf } from '@rx-informer/controller';
import { cronSchedule } from './cronSchedule.js';
import { recordEvent } from './recordEvent.js';
import { dependentsOf, loopOver, timestampOf, tolerate, type WorkloadContext } from './workloadContext.js';

const minuteMs = 60_000;
/** The most minutes that are looked back for a run that was missed. */
const mostMissed = 100;
const { cronjobs, jobs } = resources.batch.v1;

function hasEnded(job: V1Job): boolean {
  return isConditionTrue(job, 'Complete') || isConditionTrue(job, 'Failed');
}

/** The newest minute of the schedule since the last run; undefined when there is none. */
function dueAt({ metadata, spec, status }: V1CronJob, now: number): number | undefined {
  const since = Date.parse(status?.lastScheduleTime ?? metadata?.creationTimestamp ?? '');
  const schedule = cronSchedule(spec?.schedule ?? '', spec?.timeZone);
  const latest = Math.floor(now / minuteMs) * minuteMs;
  const earliest = Math.max(since + 1, latest - mostMissed * minuteMs, now - (spec?.startingDeadlineSeconds ?? Infinity) * 1_000);
  for (let at = latest; at >= earliest; at -= minuteMs) if (schedule.matches(at)) return at;
  return undefined;
}

function jobOf(cron: V1CronJob, at: number): V1Job {
  const { metadata, spec } = cron.spec?.jobTemplate ?? {};
  const { name = '', namespace = '' } = cron.metadata ?? {};
  const annotations = { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestampOf(at) };
  const owner = ownerReferenceOf(cron, { controller: true });
  return {
    metadata: { ...metadata, annotations, name: `${name}-${String(at / minuteMs)}`, namespace, ownerReferences: [owner] },
    ...(spec !== undefined && { spec }),
  };
}

/** Deletes the oldest ended jobs beyond the limits of the history. */
async function forgetOld({ client }: WorkloadContext, { spec, metadata }: V1CronJob, all: readonly V1Job[]): Promise<void> {
  const namespace = metadata?.namespace ?? '';
  const limits = [['Complete', spec?.successfulJobsHistoryLimit ?? 3] as const, ['Failed', spec?.failedJobsHistoryLimit ?? 1] as const];
  for (const [condition, limit] of limits) {
    const ended = all.filter((job) => isConditionTrue(job, condition));
    for (const job of ended.slice(0, Math.max(0, ended.length - limit)))
      await tolerate(client.delete(jobs, job.metadata?.name ?? '', { namespace, propagationPolicy: 'Background' }));
  }
}

/** Simulates the controller of cron jobs: creates a job at each minute of the schedule, by the concurrency policy, and keeps a history. */
export function cronJobLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, cronJobs, jobs: cache, scheduler } = context;
  const sources = { cronJobs: cronJobs.resource$, jobs: cache.resource$.pipe(ownerKeys(cronjobs)) };
  return loopOver(cronJobs, { sources, caches: [cronJobs, cache], scheduler }, async (cron, name, namespace) => {
    const now = scheduler.now();
    const own = dependentsOf(cache, cron);
    const active = own.filter((job) => !hasEnded(job));
    const policy = cron.spec?.concurrencyPolicy;
    const due = cron.spec?.suspend === true || (policy === 'Forbid' && active.length > 0) ? undefined : dueAt(cron, now);
    if (due !== undefined) {
      for (const job of policy === 'Replace' ? active : [])
        await tolerate(client.delete(jobs, job.metadata?.name ?? '', { namespace, propagationPolicy: 'Background' }));
      const job = jobOf(cron, due);
      const event = { component: 'cronjob-controller', reason: 'SuccessfulCreate', message: `Created job ${job.metadata?.name ?? ''}` };
      if (await tolerate(client.create(jobs, job))) await recordEvent(context, cronjobs, cron, event);
    }
    await forgetOld(context, cron, own);
    const references = active.map(({ metadata }) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: metadata?.name,
      namespace,
      uid: metadata?.uid,
    }));
    const status = { active: references.length > 0 ? references : null, ...(due !== undefined && { lastScheduleTime: timestampOf(due) }) };
    await tolerate(client.status.patch(cronjobs, name, 'merge', { status }, { namespace }));
    return { requeueAfterMs: minuteMs - (now % minuteMs) };
  });
}
