import { describe, expect, it } from '@jest/globals';
import { moduleText } from '../../tools/real/kubernetesModule.js';
import { replacedByFolders } from '../../tools/suites/operators/buildOperator.js';
import { countSpecs, countTests } from '../../tools/suites/suiteCount.js';

describe('programs that are built of Kubernetes modules', () => {
  it('require what Kubernetes requires, and what stands in its repository under the versions that it is published as', () => {
    const text = moduleText(
      'example.com/x',
      '1.36.3',
      'module k8s.io/kubernetes\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tk8s.io/api v0.0.0\n\tk8s.io/utils v0.0.0-20260101000000-abcdef // indirect\n)\n\nreplace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n)\n',
    );
    expect(text).toContain('go 1.26.0');
    expect(text).toContain('\tk8s.io/kubernetes v1.36.3\n\tgithub.com/a/b v1.2.3\n\tk8s.io/utils v0.0.0-20260101000000-abcdef\n)');
    expect(text).toContain('\tk8s.io/api => k8s.io/api v0.36.3\n');
    expect(text).not.toContain('staging');
  });

  it('take no module from a folder that was not published', () => {
    const text = 'module m\n\nreplace a.io/b => ../b\n\nreplace (\n\tc.io/d => ./d\n\te.io/f v1.0.0 => e.io/f v1.2.0\n)\n';
    expect(replacedByFolders(text)).toEqual(['a.io/b', 'c.io/d']);
  });

  it('count the cases that ran', () => {
    const spec = (State: string, LeafNodeText: string, LeafNodeType = 'It') => ({
      State,
      LeafNodeText,
      LeafNodeType,
      ContainerHierarchyTexts: ['Watchers'],
    });
    const report = [{ SpecReports: [spec('passed', 'a'), spec('failed', 'b'), spec('skipped', 'c'), spec('passed', '', 'BeforeSuite')] }];
    expect(countSpecs('s', 'v1', JSON.stringify(report))).toEqual({ suite: 's', version: 'v1', passed: 1, failed: ['Watchers b'] });
  });

  it('count the cases that Go has printed, without the tests that only hold them', () => {
    const output = [
      '=== RUN   TestRoute',
      '--- FAIL: TestRoute (0.30s)',
      '    --- PASS: TestRoute/one (0.00s)',
      '    --- FAIL: TestRoute/two (0.00s)',
      '--- PASS: TestRouteAlone (0.01s)',
      'FAIL',
    ].join('\n');
    expect(countTests('s', 'v1', output)).toEqual({ suite: 's', version: 'v1', passed: 2, failed: ['TestRoute/two'] });
  });
});
