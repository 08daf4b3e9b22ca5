import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequests, Replay } from '../goldenCase.js';
import { configMap, deployment } from './creates.js';

const deployments = '/apis/apps/v1/namespaces/NS/deployments';
const data = ({ data: shown }: AnyJson): unknown => shown;
const read = async ({ send }: Replay, path: string): Promise<AnyJson> => (await send('GET', path)).json;

const changedPod = (change: (spec: AnyJson['spec']) => object) => async (replay: Replay) => {
  const live = await read(replay, replay.in('pods/p1'));
  return { ...live, spec: { ...live.spec, ...change(live.spec) } };
};

const withStatus = (name: string, status: object) => async (replay: Replay) => {
  const live = await read(replay, replay.fill(`${deployments}/${name}`));
  return { ...live, spec: { ...live.spec, replicas: 9 }, status };
};

/** What the deployment controller writes: the revision, and a status. */
export async function reconciled(replay: Replay, name: string, revision: string, status: object): Promise<void> {
  const path = replay.fill(`${deployments}/${name}`);
  const live = await read(replay, path);
  const annotations = { ...live.metadata.annotations, 'deployment.kubernetes.io/revision': revision };
  const body = { ...live, metadata: { ...live.metadata, annotations }, status };
  const answer = await replay.send('PUT', `${path}/status?fieldManager=kube-controller-manager-1.36`, { body });
  if (answer.code !== 200) throw new Error(answer.text);
}

const scale = (replicas: number): object => ({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'd1' }, spec: { replicas } });

/** Requests that replace objects. */
export const updates: GoldenRequests = {
  'update ok no rv': { body: configMap('c1', { data: { b: '2' } }), shown: data },
  'update conflict': { body: configMap('c1', { data: { b: '3' } }, { resourceVersion: '1' }) },
  'update uid mismatch': { body: configMap('c1', {}, { uid: '11111111-1111-1111-1111-111111111111' }) },
  'update rv future': { body: configMap('c1', {}, { resourceVersion: '999999999' }) },
  'update rv abc': { body: configMap('c1', {}, { resourceVersion: 'abc' }) },
  'update missing': { body: configMap('nope') },
  'update missing with rv': { body: configMap('nope', {}, { resourceVersion: '5' }) },
  'update name mismatch': { body: configMap('c2') },
  'update no name': { body: { apiVersion: 'v1', kind: 'ConfigMap', data: {} } },
  'update to collection': { body: configMap('c1') },
  'update pod image': {
    body: changedPod(({ containers }) => ({ containers: (containers as readonly object[]).map((one) => ({ ...one, image: 'nginx:2' })) })),
    shown: ({ spec }) => (spec['containers'] as readonly { readonly image: string }[])[0]?.image,
  },
  'update pod forbidden': { body: changedPod(() => ({ hostNetwork: true })) },
  'update deploy selector immutable': {
    before: async (replay) => {
      await replay.send('POST', replay.fill(deployments), { body: deployment('d3') });
      await reconciled(replay, 'd1', '1', { replicas: 1 });
    },
    body: {
      ...deployment('d9', { selector: { matchLabels: { app: 'd9' } } }),
      metadata: { name: 'd1', annotations: { 'deployment.kubernetes.io/revision': '1' } },
    },
  },
  'update deploy status ignored': {
    body: { ...deployment('d1'), status: { readyReplicas: 5 } },
    shown: ({ status, metadata }) => ({ r: status['readyReplicas'] === 5, gen: metadata.generation }),
  },
  'update status': {
    body: withStatus('d1', { replicas: 7 }),
    shown: ({ status, spec }) => ({ s: status['replicas'], spec: spec['replicas'] }),
  },
  'update status neg': { body: withStatus('d1', { replicas: -7 }) },
  'update cm status': { body: configMap('c1') },
  'update dryRun': { body: configMap('c1', { data: { q: '1' } }), shown: data },
  'update no-op': {
    body: async (replay: Replay) => {
      const live = await read(replay, replay.in('configmaps/c2'));
      replay.kept.set('before no-op', live.metadata.resourceVersion);
      return live;
    },
    shown: () => 1,
  },
  'rv after no-op': { shown: ({ metadata }, replay) => metadata.resourceVersion === replay.kept.get('before no-op') },
  'scale get': { shown: ({ kind, spec, status }) => ({ kind, spec, sel: status['selector'] }) },
  'update scale': { body: scale(3), shown: ({ spec }) => spec },
  'update scale neg': { body: scale(-3) },
};
