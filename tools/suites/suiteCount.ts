/** What came of a suite of somebody else's. */
export interface SuiteCount {
  readonly suite: string;
  readonly passed: number;
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
export function countSpecs(suite: string, report: string): SuiteCount {
  const reports = JSON.parse(report) as readonly { readonly SpecReports: readonly GinkgoSpec[] | null }[];
  const ran = reports
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ State, LeafNodeType }) => LeafNodeType === 'It' && State !== 'skipped' && State !== 'pending');
  const failed = ran.filter(({ State }) => State !== 'passed');
  const titleOf = ({ ContainerHierarchyTexts, LeafNodeText }: GinkgoSpec): string =>
    [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ');
  return { suite, passed: ran.length - failed.length, failed: failed.map(titleOf) };
}
