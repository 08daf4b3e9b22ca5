import { asyncScheduler, concatMap, defer, type Observable, timer, type SchedulerLike } from 'rxjs';
import type { V1Deployment } from '../../api/kubernetes/appsV1.js';
import type { V1Job } from '../../api/kubernetes/batchV1.js';
import { resources } from '../../api/resources.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { createChance, type Chance } from './chance.js';
import { tolerate } from './dependents.js';

const namespace = 'default';
const names = ['web', 'api', 'worker'];
const stepMs = 1_500;
/** The maximum number of jobs at a time, including completed ones. */
const mostJobs = 3;

function deployment(name: string, replicas: number): V1Deployment {
  const labels = { app: name };
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name, image: `registry.example/${name}:1` }] } },
    },
  };
}

function job(number: number): V1Job {
  const name = `report-${String(number)}`;
  return {
    metadata: { name, namespace },
    spec: {
      completions: 2,
      parallelism: 2,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'registry.example/report:1' }] } },
    },
  };
}

/** One user action on the cluster. */
async function step(client: KubeClient, chance: Chance, number: number, jobs: string[]): Promise<string> {
  const dice = chance(`step ${String(number)}`);
  const name = names[Math.floor(chance(`deployment ${String(number)}`) * names.length)] ?? 'web';
  if (dice < 0.2) {
    jobs.push(`report-${String(number)}`);
    const oldest = jobs.length > mostJobs ? jobs.shift() : undefined;
    if (oldest !== undefined)
      await tolerate(client.delete(resources.batch.v1.jobs, oldest, { namespace, propagationPolicy: 'Background' }));
    await tolerate(client.create(resources.batch.v1.jobs, job(number)));
    return `ran job report-${String(number)}`;
  }
  if (dice < 0.35) {
    const template = { metadata: { annotations: { 'example.com/release': String(number) } } };
    await tolerate(client.patch(resources.apps.v1.deployments, name, 'merge', { spec: { template } }, { namespace }));
    return `released ${name}`;
  }
  const replicas = 1 + Math.floor(chance(`replicas ${String(number)}`) * 6);
  await tolerate(client.patch(resources.apps.v1.deployments, name, 'merge', { spec: { replicas } }, { namespace }));
  return `scaled ${name} to ${String(replicas)}`;
}

/**
 * The actions in the cluster of the demonstration, one every 1.5 seconds: deployments are scaled and updated, jobs run. Emits the actions.
 * Cold, and endless.
 */
export function demoScript(client: KubeClient, seed = 1, scheduler: SchedulerLike = asyncScheduler): Observable<string> {
  const chance = createChance(seed);
  const begin = async (): Promise<void> => {
    for (const [at, name] of names.entries()) await tolerate(client.create(resources.apps.v1.deployments, deployment(name, at + 2)));
  };
  return defer(begin).pipe(
    concatMap(() => {
      const jobs: string[] = [];
      return timer(stepMs, stepMs, scheduler).pipe(concatMap((at) => step(client, chance, at + 1, jobs)));
    }),
  );
}
