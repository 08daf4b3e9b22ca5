/** What came of a suite of somebody else's. */
export interface SuiteCount {
  readonly suite: string;
  readonly version: string;
  readonly passed: number;
  /** In how many runs; absent for one. */
  readonly runs?: number;
  /** The titles of those that failed. */
  readonly failed: readonly string[];
}

interface GinkgoSpec {
  readonly State: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
}

/** Counts the cases of a report of Ginkgo; those that were left out are in neither number. */
export function countSpecs(suite: string, version: string, report: string): SuiteCount {
  const reports = JSON.parse(report) as readonly { readonly SpecReports: readonly GinkgoSpec[] | null }[];
  const ran = reports
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ State, LeafNodeType }) => LeafNodeType === 'It' && State !== 'skipped' && State !== 'pending');
  const failed = ran.filter(({ State }) => State !== 'passed');
  const titleOf = ({ ContainerHierarchyTexts, LeafNodeText }: GinkgoSpec): string =>
    [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ');
  return { suite, version, passed: ran.length - failed.length, failed: failed.map(titleOf) };
}

/** Counts the cases in what a test binary of Go prints with `-test.v`; a test with cases of its own is not one of them. */
export function countTests(suite: string, version: string, output: string): SuiteCount {
  const ended = [...output.matchAll(/^\s*--- (PASS|FAIL): (\S+) \(/gm)].map(([, state, name = '']) => ({ state, name }));
  const cases = ended.filter(({ name }) => !ended.some((other) => other.name.startsWith(`${name}/`)));
  const failed = cases.filter(({ state }) => state === 'FAIL').map(({ name }) => name);
  return { suite, version, passed: cases.length - failed.length, failed };
}
