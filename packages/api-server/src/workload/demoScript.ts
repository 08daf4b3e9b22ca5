import { concatMap, defer, type Observable, timer } from 'rxjs';
import { type KubeClient, resources, type V1Deployment, type V1Job } from 'rx-informer';
import { createChance, type Chance } from './chance.js';
import { tolerate } from './workloadContext.js';

const namespace = 'default';
const names = ['web', 'api', 'worker'];
const stepMs = 1_500;
/** The maximum number of jobs at a time, including completed ones. */
const maxJobs = 3;

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
async function step(client: KubeClient, chance: Chance, number: number, jobs: string[]): Promise<void> {
  const dice = chance(`step ${String(number)}`);
  const name = names[Math.floor(chance(`deployment ${String(number)}`) * names.length)] ?? 'web';
  const change = (spec: object): Promise<unknown> =>
    tolerate(client.patch(resources.apps.v1.deployments, name, 'merge', { spec }, { namespace }));
  if (dice < 0.2) {
    jobs.push(`report-${String(number)}`);
    const oldest = jobs.length > maxJobs ? jobs.shift() : undefined;
    if (oldest !== undefined)
      await tolerate(client.delete(resources.batch.v1.jobs, oldest, { namespace, propagationPolicy: 'Background' }));
    await tolerate(client.create(resources.batch.v1.jobs, job(number)));
  } else if (dice < 0.35) {
    await change({ template: { metadata: { annotations: { 'example.com/release': String(number) } } } });
  } else {
    await change({ replicas: 1 + Math.floor(chance(`replicas ${String(number)}`) * 6) });
  }
}

/** The actions in the cluster of the demonstration, one every 1.5 seconds: deployments are scaled and updated, jobs run. Cold, and endless. */
export function demoScript(client: KubeClient): Observable<void> {
  const chance = createChance(1);
  const begin = async (): Promise<void> => {
    for (const [at, name] of names.entries()) await tolerate(client.create(resources.apps.v1.deployments, deployment(name, at + 2)));
  };
  return defer(begin).pipe(
    concatMap(() => {
      const jobs: string[] = [];
      return timer(stepMs, stepMs).pipe(concatMap((at) => step(client, chance, at + 1, jobs)));
    }),
  );
}
