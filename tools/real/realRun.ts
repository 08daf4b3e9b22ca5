import type { SuiteResults } from './results.js';

/** One run of `npm run test:real`, as docs/runs keeps it. */
export interface RealRun {
  /** Of kube-apiserver. */
  readonly version: string;
  /** Other than those that the version comes with. */
  readonly featureGates: string;
  readonly etcd: string;
  readonly controllerManager: boolean;
  readonly date: string;
  /** The named cases, against the embedded server. */
  readonly embedded: SuiteResults;
  /** The named cases, against the real one. */
  readonly scorecard: SuiteResults;
  /** The specs of the embedded server, against the real one. */
  readonly conformance: SuiteResults;
  /** Informers of the real one, under faults. */
  readonly informers: SuiteResults;
}
