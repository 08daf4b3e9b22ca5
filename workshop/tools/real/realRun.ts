import type { SuiteResults } from './results.js';

/** One run of `npm run test:real`, as stored in workshop/reports/runs. */
export interface RealRun {
  /** The version of kube-apiserver. */
  readonly version: string;
  /** The feature gates that differ from the version's defaults. */
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
  /** What is said of operators, on the real one; absent where they were not tried. */
  readonly operators?: SuiteResults;
}
