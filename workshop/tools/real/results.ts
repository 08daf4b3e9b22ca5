/** The results of the specs of one run. */
export interface SuiteResults {
  readonly passed: number;
  /** The number of specs that need something that this server lacks. */
  readonly skipped: number;
  /** The titles. */
  readonly failed: readonly string[];
  /** For titles of the form `group case: variant`: the number of passed variants of each case, and of all. */
  readonly cases: Readonly<Record<string, readonly [passed: number, all: number]>>;
}

interface JestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
    }[];
  }[];
}

/** Counts the results of a report of jest. */
export function resultsOf({ testResults }: JestReport): SuiteResults {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const cases: Record<string, [number, number]> = {};
  for (const { ancestorTitles, title, status } of all) {
    const [group = ''] = ancestorTitles;
    const name = group === 'e2e' ? title : title.split(':')[0];
    const entry = (cases[`${group} ${name ?? ''}`] ??= [0, 0]);
    if (status === 'passed') entry[0] += 1;
    entry[1] += 1;
  }
  const withStatus = (status: string): readonly string[] => all.filter((one) => one.status === status).map(({ fullName }) => fullName);
  return { passed: withStatus('passed').length, skipped: withStatus('pending').length, failed: withStatus('failed'), cases };
}
