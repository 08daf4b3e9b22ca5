import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiServer, type ApiServer } from '../../src/createApiServer.js';
import { send } from '../support/httpClient.js';

const tokenFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

interface PodSpec {
  readonly serviceAccountName?: string;
  readonly imagePullSecrets?: readonly object[];
  readonly volumes?: readonly { readonly name: string; readonly projected?: object }[];
  readonly containers: readonly { readonly volumeMounts?: readonly Mount[] }[];
  readonly initContainers?: readonly { readonly volumeMounts?: readonly Mount[] }[];
}

describe('admitPod: the service account', () => {
  let server: ApiServer;
  beforeEach(async () => {
    server = await createApiServer();
  });
  afterEach(() => server.close());

  const account = (fields: object, name = 'default'): void => {
    server.objects.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, ...fields });
  };
  const create = async (spec: object): Promise<PodSpec> => {
    const body = { metadata: { generateName: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
    const { json, code } = await send(server, '/api/v1/namespaces/default/pods', { method: 'POST', body });
    expect(code).toBe(201);
    return json.spec as unknown as PodSpec;
  };
  const mountsOf = ({ containers }: PodSpec): readonly (readonly string[])[] =>
    containers.map(({ volumeMounts = [] }) => volumeMounts.map(({ mountPath }) => mountPath));

  it('has no part in a pod where there is none', async () => {
    const spec = await create({});
    expect(spec.volumes).toBeUndefined();
    expect(spec.serviceAccountName).toBeUndefined();
  });

  it('gives every container its token, through one volume', async () => {
    account({});
    const own = { name: 'own', image: 'i', volumeMounts: [{ name: 'v', mountPath: tokenFolder }] };
    const spec = await create({
      containers: [{ name: 'c', image: 'i' }, own],
      initContainers: [{ name: 'first', image: 'i' }],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    expect(spec.serviceAccountName).toBe('default');
    expect(spec.volumes?.map(({ name }) => name)).toEqual(['v', expect.stringMatching(/^kube-api-access-\w{5}$/)]);
    expect(mountsOf(spec)).toEqual([[tokenFolder], [tokenFolder]]);
    expect(spec.containers[1]?.volumeMounts?.[0]?.name).toBe('v');
    expect(spec.initContainers?.[0]?.volumeMounts?.[0]?.name).toBe(spec.volumes?.[1]?.name);
  });

  it.each([
    { ofAccount: false, ofPod: undefined, mounted: false },
    { ofAccount: undefined, ofPod: false, mounted: false },
    { ofAccount: false, ofPod: true, mounted: true },
    { ofAccount: true, ofPod: false, mounted: false },
  ])('mounts by the pod, then by the account: $ofPod and $ofAccount', async ({ ofAccount, ofPod, mounted }) => {
    account({ automountServiceAccountToken: ofAccount }, 'builder');
    const spec = await create({ serviceAccountName: 'builder', automountServiceAccountToken: ofPod });
    expect(mountsOf(spec)).toEqual([mounted ? [tokenFolder] : []]);
  });

  it('gives its pull secrets to a pod that names none', async () => {
    account({ imagePullSecrets: [{ name: 'a' }] });
    expect((await create({})).imagePullSecrets).toEqual([{ name: 'a' }]);
    expect((await create({ imagePullSecrets: [{ name: 'b' }] })).imagePullSecrets).toEqual([{ name: 'b' }]);
  });

  it('leaves a pod alone that has such a volume already', async () => {
    account({});
    const volumes = [{ name: 'kube-api-access-known', emptyDir: {} }];
    const spec = await create({ volumes });
    expect(spec.volumes?.map(({ name }) => name)).toEqual(['kube-api-access-known']);
    expect(spec.containers[0]?.volumeMounts?.[0]?.name).toBe('kube-api-access-known');
  });
});
