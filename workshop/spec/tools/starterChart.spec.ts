import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';

const creator = fileURLToPath(new URL('../../../packages/create/create.mjs', import.meta.url));

interface Chart {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
}

/** The subset of Helm that the chart of the starter uses. */
function rendered(template: string, chart: Chart, values: Readonly<Record<string, unknown>>, release: string, namespace: string): string {
  const known: Readonly<Record<string, string>> = {
    'quote .Release.Name': JSON.stringify(release),
    'quote .Release.Namespace': JSON.stringify(namespace),
    '.Values.image': String(values['image']),
    '.Values.tag | default .Chart.AppVersion': String(values['tag'] === '' ? chart.appVersion : values['tag']),
    '.Values.replicas': String(values['replicas']),
    'toJson .Values.resources': JSON.stringify(values['resources']),
  };
  return template.replaceAll(/\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const text = known[expression];
    if (text === undefined) throw new Error(`Expected an expression of the chart, got ${expression}`);
    return text;
  });
}

const objectsIn = (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJSON() as unknown);

describe('the chart of the starter', () => {
  let folder: string;
  let operator: string;
  const read = (file: string): string => readFileSync(join(operator, file), 'utf8');
  const makeChart = (): string => execFileSync(process.execPath, ['chart.mjs'], { cwd: operator, encoding: 'utf8', stdio: 'pipe' });
  const chartOf = (): Chart => parse(read('chart/Chart.yaml')) as Chart;
  const valuesOf = (): Record<string, unknown> => parse(read('chart/values.yaml')) as Record<string, unknown>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
    operator = join(folder, 'sites');
    execFileSync(process.execPath, [creator, operator, '--rx-informer', '0.1.0']);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is what the manifests are, without the namespace', () => {
    expect(makeChart()).toBe('chart sites 0.1.0: helm install sites chart --namespace sites --create-namespace\n');
    expect(chartOf()).toEqual({ apiVersion: 'v2', type: 'application', name: 'sites', version: '0.1.0', appVersion: '0.1.0' });
    const [namespace, ...manifests] = objectsIn(read('manifests/operator.yaml'));
    expect(namespace).toMatchObject({ kind: 'Namespace' });
    expect(objectsIn(rendered(read('chart/templates/operator.yaml'), chartOf(), valuesOf(), 'sites', 'sites'))).toEqual(manifests);
    expect(read('chart/crds/website.yaml')).toBe(read('crds/website.yaml'));
  });

  it('takes another name, namespace and values', () => {
    makeChart();
    const values = { ...valuesOf(), image: 'localhost:5000/sites', tag: '2.0.0', replicas: 3, resources: { limits: { memory: '1Gi' } } };
    const text = rendered(read('chart/templates/operator.yaml'), chartOf(), values, 'blue', 'shop');
    expect(text).not.toContain('sites,');
    const deployment = objectsIn(text).find((object) => (object as { kind: string }).kind === 'Deployment');
    expect(deployment).toMatchObject({
      metadata: { name: 'blue', namespace: 'shop' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'blue' } },
        template: {
          metadata: { labels: { app: 'blue' } },
          spec: {
            serviceAccountName: 'blue',
            containers: [{ image: 'localhost:5000/sites:2.0.0', resources: { limits: { memory: '1Gi' } } }],
          },
        },
      },
    });
  });

  it('takes a name that YAML would read as a number', () => {
    makeChart();
    const text = rendered(read('chart/templates/operator.yaml'), chartOf(), valuesOf(), '123', '456');
    const deployment = objectsIn(text).find((object) => (object as { kind: string }).kind === 'Deployment');
    expect(deployment).toMatchObject({ metadata: { name: '123', namespace: '456' }, spec: { selector: { matchLabels: { app: '123' } } } });
  });

  it('names what it does not find', () => {
    const file = join(operator, 'manifests/operator.yaml');
    writeFileSync(file, read('manifests/operator.yaml').replace(/^ +replicas: .*\n/m, ''));
    expect(makeChart).toThrow('expected manifests/operator.yaml to have replicas');
  });

  it('knows an image of a registry with a port', () => {
    const file = join(operator, 'manifests/operator.yaml');
    writeFileSync(file, read('manifests/operator.yaml').replace(/image: \S+/, 'image: registry.example:5000/team/sites:1.0.0'));
    makeChart();
    expect(valuesOf()).toMatchObject({ image: 'registry.example:5000/team/sites' });
  });
});
