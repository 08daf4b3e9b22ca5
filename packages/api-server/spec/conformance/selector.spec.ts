import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itEmbedded, openTarget, status, type Target } from '../support/target.js';

describe('selectors', () => {
  let target: Target;
  let namespace: string;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
    namespace = await target.namespace();
    path = `/api/v1/namespaces/${namespace}/secrets`;
    for (const at of [0, 1, 2, 3]) {
      await target.post(path, { metadata: { name: `l${String(at)}`, labels: { app: at % 2 === 0 ? 'even' : 'odd', n: String(at) } } });
    }
    await target.post(path, { metadata: { name: 'bare' } });
  });
  afterAll(() => target.close());
  const select = async (kind: 'labelSelector' | 'fieldSelector', selector: string): Promise<readonly string[]> =>
    (await target.must(`${path}?${kind}=${encodeURIComponent(selector)}`)).items.map(({ metadata }) => metadata.name);

  it.each([
    ['app=even', 'l0 l2'],
    ['app==even', 'l0 l2'],
    ['app!=even', 'bare l1 l3'],
    ['app in (even,x)', 'l0 l2'],
    ['app notin (even)', 'bare l1 l3'],
    ['app', 'l0 l1 l2 l3'],
    ['!app', 'bare'],
    ['n>2', 'l3'],
    ['n<2', 'l0 l1'],
    ['app=even,n=0', 'l0'],
    ['app=', ''],
    ['app in ()', ''],
    ['', 'bare l0 l1 l2 l3'],
    [' app = even ', 'l0 l2'],
    ['app,n notin (0,1)', 'l2 l3'],
    ['x=,app', ''],
  ])('selects by the labels "%s" (row 85)', async (selector, expected) => {
    expect((await select('labelSelector', selector)).join(' ')).toBe(expected);
  });

  it.each(['=x', 'app=a=b', 'app in even', 'bad key!=x', 'a/b/c=d', 'app=!bad', 'n>abc'])(
    'refuses the labels "%s" (row 85)',
    async (selector) => {
      for (const watch of ['', '&watch=true']) {
        const { json } = await target.request(`${path}?labelSelector=${encodeURIComponent(selector)}${watch}`);
        expect(json).toMatchObject({ code: 400, reason: 'BadRequest', message: expect.any(String) });
      }
    },
  );

  it.each([
    ['metadata.name=l1', 'l1'],
    ['metadata.name==l1', 'l1'],
    ['metadata.name!=l1', 'bare l0 l2 l3'],
    ['metadata.name=l1,metadata.namespace=NS', 'l1'],
    ['metadata.namespace=other', ''],
    ['type=Opaque', 'bare l0 l1 l2 l3'],
    ['type=other', ''],
    ['', 'bare l0 l1 l2 l3'],
  ])('selects by the fields "%s" (row 86)', async (selector, expected) => {
    expect((await select('fieldSelector', selector.replace('NS', namespace))).join(' ')).toBe(expected);
  });

  it.each([
    [
      'api/v1',
      'pods',
      'spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName status.phase status.podIP status.podIPs status.nominatedNodeName',
    ],
    ['api/v1', 'nodes', 'spec.unschedulable'],
    ['api/v1', 'namespaces', 'status.phase'],
    ['api/v1', 'secrets', 'type'],
    ['api/v1', 'replicationcontrollers', 'status.replicas'],
    ['apis/batch/v1', 'jobs', 'status.successful'],
    ['apis/certificates.k8s.io/v1', 'certificatesigningrequests', 'spec.signerName'],
    [
      'api/v1',
      'events',
      'involvedObject.kind involvedObject.name involvedObject.namespace involvedObject.uid involvedObject.apiVersion reason source type',
    ],
    ['apis/events.k8s.io/v1', 'events', 'regarding.kind regarding.name reason type'],
    ['apis/apps/v1', 'deployments', ''],
  ])('knows the fields of %s %s (row 86)', async (base, plural, fields) => {
    for (const field of `metadata.name ${fields}`.trim().split(' ')) {
      expect([field, (await target.request(`/${base}/${plural}?fieldSelector=${field}%3Dx`)).code]).toEqual([field, 200]);
    }
  });

  it.each([
    ['api/v1', 'configmaps', 'spec.foo=1', '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    [
      'apis/apps/v1',
      'deployments',
      'status.replicas=1',
      '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['api/v1', 'pods', 'spec.bogus=1', 'field label not supported: spec.bogus'],
    [
      'api/v1',
      'configmaps',
      'metadata.name in (l1)',
      "invalid selector: 'metadata.name in (l1)'; can't understand 'metadata.name in (l1)'",
    ],
  ])('refuses for %s %s the fields %s (row 86)', async (base, plural, selector, message) => {
    const { json } = await target.request(`/${base}/${plural}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(json).toMatchObject(status(400, 'BadRequest', message));
  });

  it('finds the events of one object, as kubectl describe does (row 87)', async () => {
    const events = `/api/v1/namespaces/${namespace}/events`;
    for (const name of ['x', 'y']) {
      const involvedObject = { kind: 'Pod', name, namespace, uid: `uid-${name}` };
      await target.post(events, {
        metadata: { name: `e-${name}`, namespace },
        involvedObject,
        reason: 'Started',
        message: 'm',
        type: 'Normal',
      });
    }
    const selector = `involvedObject.name=x,involvedObject.namespace=${namespace},involvedObject.kind=Pod,involvedObject.uid=uid-x`;
    const { items } = await target.must(`${events}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['e-x']);
    expect((await target.must(`${events}?fieldSelector=reason%3DStarted,type%3DWarning`)).items).toEqual([]);
  });

  itEmbedded('selects pods by node and phase (row 86)', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    target.server.objects.put([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a', namespace },
        spec: { ...spec, nodeName: 'n1' },
        status: { phase: 'Running', podIP: '10.0.0.1' },
      },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b', namespace }, spec, status: { phase: 'Pending' } },
    ] as object[]);
    const pods = async (selector: string): Promise<readonly string[]> =>
      (await target.must(`/api/v1/namespaces/${namespace}/pods?fieldSelector=${encodeURIComponent(selector)}`)).items.map(
        ({ metadata }) => metadata.name,
      );
    expect(await pods('spec.nodeName=n1')).toEqual(['a']);
    expect(await pods('spec.nodeName=')).toEqual(['b']);
    expect(await pods('status.phase!=Running')).toEqual(['b']);
    expect(await pods('status.podIP=10.0.0.1,spec.restartPolicy=Always')).toEqual(['a']);
  });
});
