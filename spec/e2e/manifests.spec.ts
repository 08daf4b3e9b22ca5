import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningApiServer, startEitherApiServer } from '@rx-informer/api-server';
import { createKubectl, type Kubectl, kubectlPrograms } from './kubectl.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What each place tells a reader to apply, in its order. */
const manifests: Readonly<Record<string, readonly string[]>> = {
  'create-rx-informer': ['crds/website.yaml', 'manifests/operator.yaml', 'crds/example.yaml'].map((file) =>
    read(`packages/create/template/${file}`),
  ),
  'docs/production.md': [...read('docs/production.md').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, yaml = '']) => yaml),
  'examples/website-operator': ['crd.yaml', 'hello.yaml'].map((file) => read(`examples/website-operator/${file}`)),
};

const [program] = kubectlPrograms();
if (program === undefined) console.warn('kubectl is not installed: the manifests are not applied.');

(program === undefined ? describe.skip : describe).each(Object.entries(manifests))('the manifests of %s', (_, texts) => {
  let server: RunningApiServer;
  let kubectl: Kubectl;

  beforeAll(async () => {
    server = await startEitherApiServer();
    kubectl = createKubectl(server.kubeconfigPath, program?.path);
  });
  afterAll(async () => {
    kubectl.remove();
    await server.close();
  });

  it('are accepted to the last field', async () => {
    for (const text of texts) {
      const { code, stderr } = await kubectl.run(['apply', '--server-side', '--validate=strict', '-f', '-'], text);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await kubectl.run(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=20s']);
    }
  });

  it('are refused with a field that no kind has', async () => {
    const wrong = texts.join('---\n').replace(/^metadata:/m, 'specc: {}\nmetadata:');
    const { code, stderr } = await kubectl.run(['apply', '--server-side', '--validate=strict', '-f', '-'], wrong);
    expect([code, stderr]).toEqual([1, expect.stringContaining('specc')]);
  });
});

(program === undefined ? describe.skip : describe)('the kustomization of create-rx-informer', () => {
  it('has the definition and all that the operator needs', async () => {
    const kubectl = createKubectl('', program?.path);
    const { code, stdout } = await kubectl.run(['kustomize', join(root, 'packages/create/template/manifests')]);
    kubectl.remove();
    expect(code).toBe(0);
    expect([...stdout.matchAll(/^kind: (\w+)/gm)].map(([, kind]) => kind).sort()).toEqual([
      ...[
        'ClusterRole',
        'ClusterRoleBinding',
        'CustomResourceDefinition',
        'Deployment',
        'Namespace',
        'NetworkPolicy',
        'PodDisruptionBudget',
      ],
      ...['Role', 'RoleBinding', 'ServiceAccount'],
    ]);
  });
});
