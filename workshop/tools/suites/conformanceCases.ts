import type { PodLifeOptions } from '@rx-informer/api-server/internal';

/** Conformance cases that are skipped, and the reason. */
export interface LeftOut {
  readonly why: string;
  /** A pattern for titles. */
  readonly cases: string;
}

/** Conformance cases of one special interest group that run together. */
export interface ConformanceGroup {
  readonly sig: string;
  /** A pattern for titles; all when absent. */
  readonly focus?: string;
  /** The lives of the pods, if they matter. */
  readonly life?: Partial<PodLifeOptions>;
  readonly leftOut: readonly LeftOut[];
}

const webhooks = 'AdmissionWebhook|CustomResourceConversionWebhook|CustomResourceFieldSelectors';
const longRunning = 'CronJob should (schedule|replace|not schedule)|Job should (delete a job|adopt|apply changes)';

/** The conformance cases of Kubernetes, except for groups whose cases all need containers. */
export const conformanceGroups: Readonly<Record<string, ConformanceGroup>> = {
  'api-machinery': {
    sig: 'api-machinery',
    leftOut: [
      { why: 'an API server in a pod', cases: 'Aggregator' },
      { why: 'webhooks: a run of their own', cases: webhooks },
    ],
  },
  webhooks: {
    sig: 'api-machinery',
    focus: webhooks,
    leftOut: [],
  },
  apps: {
    sig: 'apps',
    leftOut: [
      {
        why: 'exit codes that the command of a container decides',
        cases:
          'Job should (run a job to completion when|execute all indexes|mark indexes as failed|terminate job execution)|pod failure policy|successPolicy',
      },
      {
        why: 'answers of a program in a pod, or programs run in its containers',
        cases: 'should serve a basic image|Burst scaling|Scaling should happen|canary|rolling updates',
      },
      { why: 'jobs that go on: a run of their own', cases: longRunning },
    ],
  },
  'apps-long': { sig: 'apps', focus: longRunning, life: { workMs: 3_600_000 }, leftOut: [] },
  architecture: { sig: 'architecture', leftOut: [] },
  auth: { sig: 'auth', leftOut: [{ why: 'files in a container', cases: 'mount an API token|mount projected|OIDC discovery' }] },
  cli: { sig: 'cli', leftOut: [{ why: 'programs in containers', cases: 'Guestbook|logs should be able|Update Demo' }] },
  instrumentation: { sig: 'instrumentation', leftOut: [] },
  network: {
    sig: 'network',
    leftOut: [
      {
        why: 'connections to pods and services',
        cases:
          'DNS|Granular Checks|Proxy version|HostPort|Services should (be able to|have session|serve )|Service endpoints latency|support a Service with multiple',
      },
      {
        why: 'an address that is not of the loopback interface; a real server on that one does not publish it either',
        cases: 'pointing to API Server',
      },
    ],
  },
  node: {
    sig: 'node',
    life: { workMs: 3_600_000 },
    leftOut: [
      {
        why: 'programs and files in containers',
        cases:
          'consumable|Lifecycle Hook|blackbox|Containers should|Downward API|Ephemeral|ImageVolume|InitContainer|Kubelet when .*(logs|reason|read only|hostAliases)|KubeletManaged|should contain environment|websockets|PreStop|Probing|Security Context|Variable Expansion',
      },
      { why: 'what a kubelet enforces on pods', cases: 'support sysctls|InPlace' },
    ],
  },
  scheduling: { sig: 'scheduling', leftOut: [] },
  storage: {
    sig: 'storage',
    leftOut: [{ why: 'files in containers', cases: 'in (a )?volume|[Pp]rojected|Subpath|EmptyDir|Downward|HostPath|consumable' }],
  },
};
