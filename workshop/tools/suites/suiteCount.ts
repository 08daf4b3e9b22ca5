/** The results of a third-party suite. */
export interface SuiteCount {
  readonly suite: string;
  readonly version: string;
  readonly passed: number;
  /** The number of runs; absent for one. */
  readonly runs?: number;
  /** The titles of the failed cases. */
  readonly failed: readonly string[];
}

interface GinkgoSpec {
  readonly State: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
}

/** Counts the cases in a Ginkgo report; skipped cases are in neither number. */
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

/** Counts the cases in the output of a Go test binary with `-test.v`; a test with subtests is not counted itself. */
export function countTests(suite: string, version: string, output: string): SuiteCount {
  const ended = [...output.matchAll(/^\s*--- (PASS|FAIL): (\S+) \(/gm)].map(([, state, name = '']) => ({ state, name }));
  const cases = ended.filter(({ name }) => !ended.some((other) => other.name.startsWith(`${name}/`)));
  const failed = cases.filter(({ state }) => state === 'FAIL').map(({ name }) => name);
  return { suite, version, passed: cases.length - failed.length, failed };
}
