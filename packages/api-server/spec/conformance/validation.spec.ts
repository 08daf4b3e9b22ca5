import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/httpClient.js';
import { itEmbedded, openTarget, type Target } from '../support/target.js';

const container = { name: 'c', image: 'nginx' };
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character " +
  "(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe('validation', () => {
  let target: Target;
  let namespace: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    namespace = await target.namespace();
  });
  afterAll(() => target.close());

  const pathOf = (plural: string): string => {
    const group = { deployments: 'apps', statefulsets: 'apps', daemonsets: 'apps', jobs: 'batch' }[plural];
    return `${group === undefined ? '/api/v1' : `/apis/${group}/v1`}/namespaces/${namespace}/${plural}`;
  };
  const create = (plural: string, content: object): Promise<Answer> =>
    target.request(pathOf(plural), { method: 'POST', body: { metadata: { name: 'x' }, ...content } });
  const patch = (plural: string, body: object): Promise<Answer> =>
    target.request(`${pathOf(plural)}/x`, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body });
  /** The causes of a refusal, each as the message shows it. */
  const causesOf = ({ code, json }: Answer): readonly string[] => {
    expect(code).toBe(422);
    const { causes } = json['details'] as { readonly causes: readonly { readonly field: string; readonly message: string }[] };
    const texts = causes.map(({ field, message }) => `${field}: ${message}`);
    expect(json.message).toContain(texts.length === 1 ? ` is invalid: ${texts[0] ?? ''}` : ` is invalid: [${texts.join(', ')}]`);
    return texts;
  };

  it.each<[string, object, readonly string[]]>([
    ['no spec', {}, ['spec.containers: Required value']],
    [
      'a container without anything',
      { containers: [{}] },
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    ['a name in capitals', { containers: [{ ...container, name: 'C' }] }, [`spec.containers[0].name: Invalid value: "C": ${label}`]],
    [
      'two containers of one name',
      { containers: [container], initContainers: [container] },
      ['spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    [
      'a port that is none',
      { containers: [{ ...container, ports: [{ containerPort: 70_000 }, {}] }] },
      [
        'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[1].containerPort: Required value',
      ],
    ],
    [
      'a volume that is not there',
      { containers: [{ ...container, volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
      ['spec.containers[0].volumeMounts[0].name: Not found: "data"'],
    ],
    [
      'a restart policy that nobody knows',
      { containers: [container], restartPolicy: 'Sometimes' },
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
  ])('refuses a pod with %s', async (_, spec, causes) => {
    expect(causesOf(await create('pods', { spec })).toSorted()).toEqual(causes.toSorted());
  });

  it('lets an update of a pod change images and little else', async () => {
    const volumes = [{ name: 'data', emptyDir: {} }];
    const mounting = { ...container, imagePullPolicy: 'Always', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    expect(await create('pods', { spec: { containers: [mounting], volumes } })).toMatchObject({ code: 201 });
    expect(await patch('pods', { metadata: { labels }, spec: { containers: [{ ...mounting, image: 'nginx:2' }] } })).toMatchObject({
      code: 200,
    });
    const [cause = ''] = causesOf(await patch('pods', { spec: { containers: [mounting, { ...container, name: 'd' }] } }));
    expect(cause).toBe('spec.containers: Forbidden: pod updates may not add or remove containers');
  });

  it.each([{ nodeName: 'n1' }, { terminationGracePeriodSeconds: 1 }, { hostNetwork: true }])(
    'lets no update of a pod bring %j',
    async (spec) => {
      await create('pods', { spec: { containers: [container] } });
      const [cause = ''] = causesOf(await patch('pods', { spec }));
      expect(cause).toContain('spec: Forbidden: pod updates may not change fields other than');
    },
  );

  itEmbedded('places a pod by a binding, of the pod or by name, and only once', async () => {
    await create('pods', { spec: { containers: [container] } });
    const binding = { metadata: { name: 'x' }, target: { kind: 'Node', name: 'n1' } };
    expect(await target.request(pathOf('bindings'), { method: 'POST', body: binding })).toMatchObject({ code: 201 });
    expect((await target.must(`${pathOf('pods')}/x`)).spec).toMatchObject({ nodeName: 'n1' });
    expect(await target.request(`${pathOf('pods')}/x/binding`, { method: 'POST', body: binding })).toMatchObject({ code: 409 });
  });

  it('checks what a daemon set cannot have', async () => {
    const spec = { selector: { matchLabels: labels }, template };
    const lasting = { ...template, spec: { ...template.spec, activeDeadlineSeconds: 4 } };
    expect(causesOf(await create('daemonsets', { spec: { ...spec, template: lasting, updateStrategy: { type: 'X' } } }))).toEqual([
      'spec.template.spec.activeDeadlineSeconds: Forbidden: is not supported for pods that always restart',
      'spec.updateStrategy: Unsupported value: "X": supported values: "RollingUpdate", "OnDelete"',
    ]);
    const wrong = { minReadySeconds: -1, revisionHistoryLimit: -1, updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } };
    expect(causesOf(await create('daemonsets', { spec: { ...spec, ...wrong } }))).toEqual([
      'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ]);
  });

  it('lets nothing but the series of a newer event change', async () => {
    const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const time = '2024-01-01T00:00:00.000000Z';
    const about = { regarding: { namespace, kind: 'Pod', name: 'p' }, reason: 'R', action: 'A', type: 'Normal', note: 'n' };
    await target.post(path, {
      metadata: { name: 'e' },
      ...about,
      eventTime: time,
      reportingController: 'a.example',
      reportingInstance: 'i',
    });
    const change = (body: object): Promise<Answer> =>
      target.request(`${path}/e`, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body });
    expect(causesOf(await change({ deprecatedCount: 3 }))).toEqual(['count: Invalid value: 3: field is immutable']);
    expect(causesOf(await change({ note: 'other' }))).toEqual(['message: Invalid value: "other": field is immutable']);
    expect(await change({ series: { count: 3, lastObservedTime: time } })).toMatchObject({ code: 200 });
  });

  it.each(['deployments', 'statefulsets', 'daemonsets'])(
    'insists on a selector that selects the pods of the template (%s)',
    async (plural) => {
      const mismatch = 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
      expect(causesOf(await create(plural, { spec: { template } }))).toEqual([
        ...(plural === 'daemonsets' ? [] : ['spec.selector: Required value']),
        mismatch,
      ]);
      const spec = { template, selector: { matchLabels: { ...labels, tier: 'front' } } };
      expect(causesOf(await create(plural, { spec }))).toEqual([mismatch]);
    },
  );

  it('refuses a selector of everything', async () => {
    const [cause = ''] = causesOf(await create('deployments', { spec: { template, selector: {} } }));
    expect(cause).toContain('spec.selector: Invalid value: ');
    expect(cause).toContain(': empty selector is invalid for deployment');
  });

  it.each(['deployments', 'daemonsets'])('never changes a selector (%s)', async (plural) => {
    await target.post(pathOf(plural), { metadata: { name: 'x' }, spec: { template, selector: { matchLabels: labels } } });
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] };
    const causes = causesOf(await patch(plural, { spec: { selector } }));
    expect(causes).toHaveLength(1);
    expect(causes[0]).toMatch(/^spec\.selector: Invalid value: .*: field is immutable$/s);
  });

  it('looks into templates of pods', async () => {
    const spec = {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c' }], restartPolicy: 'Never' } },
    };
    expect(causesOf(await create('deployments', { spec }))).toEqual([
      'spec.template.spec.containers[0].image: Required value',
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]);
  });

  it('counts from zero', async () => {
    const spec = { replicas: -1, selector: { matchLabels: labels }, template };
    expect(causesOf(await create('deployments', { spec }))).toEqual([
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  it('lets little of a stateful set be changed', async () => {
    const spec = { serviceName: 'x', replicas: 0, selector: { matchLabels: labels }, template };
    await target.post(pathOf('statefulsets'), { metadata: { name: 'x' }, spec });
    expect(await patch('statefulsets', { spec: { replicas: 1 } })).toMatchObject({ code: 200 });
    const [cause = ''] = causesOf(await patch('statefulsets', { spec: { serviceName: 'y' } }));
    expect(cause).toContain('spec: Forbidden: updates to statefulset spec for fields other than ');
  });

  it('knows the volumes that a stateful set claims', async () => {
    const mounting = (name: string): object => ({
      replicas: 0,
      selector: { matchLabels: labels },
      template: { ...template, spec: { containers: [{ ...container, volumeMounts: [{ name, mountPath: '/data' }] }] } },
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ],
    });
    expect(await create('statefulsets', { spec: mounting('data') })).toMatchObject({ code: 201 });
    expect(causesOf(await create('statefulsets', { spec: mounting('other') }))).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "other"',
    ]);
  });

  it('wants jobs to end, and their templates to stay', async () => {
    expect(causesOf(await create('jobs', { spec: { template: { spec: { containers: [container] } } } }))).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
    const spec = { template: { spec: { containers: [container], restartPolicy: 'Never' } } };
    expect(await create('jobs', { spec: { ...spec, suspend: false } })).toMatchObject({ code: 201 });
    const [cause = ''] = causesOf(await patch('jobs', { spec: { template: { spec: { containers: [{ ...container, image: 'y' }] } } } }));
    expect(cause).toMatch(/^spec\.template: Invalid value: .*: field is immutable$/s);
  });

  it.each<[string, object, readonly string[]]>([
    ['no ports', {}, ['spec.ports: Required value']],
    [
      'a port that is none',
      { ports: [{ port: 70_000, targetPort: 80 }] },
      ['spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive'],
    ],
    ['ports without names', { ports: [{ port: 80 }, { name: 'b', port: 81 }] }, ['spec.ports[0].name: Required value']],
    [
      'two ports of one name',
      {
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      },
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
  ])('refuses a service with %s', async (_, spec, causes) => {
    expect(causesOf(await create('services', { spec }))).toEqual(causes);
  });

  it('takes a service without ports that has no address either', async () => {
    expect(await create('services', { spec: { clusterIP: 'None', selector: labels } })).toMatchObject({ code: 201 });
  });

  it('refuses a key that cannot be the name of a file', async () => {
    const problem = "must consist of at most 253 letters, digits, '-', '_' or '.'";
    expect(causesOf(await create('configmaps', { data: { 'a b': '1' } }))).toEqual([`data[a b]: Invalid value: "a b": ${problem}`]);
  });

  it.each(['configmaps', 'secrets'])('keeps what was declared immutable (%s)', async (plural) => {
    await target.post(pathOf(plural), { metadata: { name: 'x' }, data: { a: 'MQ==' }, immutable: true });
    expect(await patch(plural, { metadata: { labels } })).toMatchObject({ code: 200 });
    expect(causesOf(await patch(plural, { data: { a: 'Mg==' } }))).toEqual(['data: Forbidden: field is immutable when `immutable` is set']);
    expect(causesOf(await patch(plural, { immutable: false }))).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
    ]);
  });

  it('keeps the type of a secret', async () => {
    await target.post(pathOf('secrets'), { metadata: { name: 'x' }, type: 'example.com/a' });
    expect(causesOf(await patch('secrets', { type: 'example.com/b' }))).toEqual([
      'type: Invalid value: "example.com/b": field is immutable',
    ]);
  });

  itEmbedded('does not ask for a whole object where a test puts one in place, nor when that is written to', async () => {
    const place = { metadata: { name: 'x', namespace } };
    target.server.objects.put([
      { apiVersion: 'v1', kind: 'Pod', ...place },
      { apiVersion: 'apps/v1', kind: 'Deployment', ...place, spec: { replicas: 1 } } as object & { apiVersion: string; kind: string },
    ]);
    expect(await patch('pods', { metadata: { labels } })).toMatchObject({ code: 200 });
    expect(await patch('deployments', { spec: { replicas: 2 } })).toMatchObject({ code: 200 });
    expect(causesOf(await patch('deployments', { spec: { replicas: -2 } }))).toEqual([
      'spec.replicas: Invalid value: -2: must be greater than or equal to 0',
    ]);
  });
});
