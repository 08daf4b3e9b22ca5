import { createClient, type KubeClient, type KubernetesObject, resources, type V1Pod } from 'rx-informer';
import { startApiServer, startWorkload, type TestApiServer } from '@rx-informer/api-server';

/** A cluster with simulated activity, and users with different permissions. */
export interface Cluster {
  /** The client of the dashboard's own process, which has all permissions. */
  readonly client: KubeClient;
  /** Creates or deletes a binding of a user to the role that reads a namespace. */
  readonly grant: (user: string, namespace: string, isGranted: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The namespaces that `bob` may read; `ada` may read the whole cluster. */
export const namespacesOfBob: readonly string[] = ['shop', 'team-01', 'team-02'];

const { rolebindings, clusterrolebindings } = resources.rbac.v1;
const { namespaces } = resources.core.v1;
const reader = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const subjectOf = (user: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user });

type Binding = KubernetesObject & { readonly subjects?: readonly { readonly name: string }[] };

/** Whether a binding allows a user to read; the bindings of this cluster grant nothing else. */
function mayRead(server: TestApiServer, user: string, namespace: string): boolean {
  const isOf = ({ subjects = [] }: Binding): boolean => subjects.some(({ name }) => name === user);
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  if ((server.objects.list({ apiVersion, kind: 'ClusterRoleBinding' }) as readonly Binding[]).some(isOf)) return true;
  return namespace !== '' && (server.objects.list({ apiVersion, kind: 'RoleBinding' }, namespace) as readonly Binding[]).some(isOf);
}

const images = ['nginx:1.29', 'redis:8', 'postgres:18', 'api:2.4.1', 'worker:2.4.1'];
const apps = ['web', 'cache', 'db', 'api', 'worker'];

/** A running pod, so that the simulation does not have to start each pod. */
function runningPod(at: number): KubernetesObject {
  const app = apps[at % apps.length] ?? '';
  const startedAt = new Date(Date.UTC(2026, 0, 1) + at * 61_000).toISOString().replace('.000', '');
  const namespace = `team-${String((at % 20) + 1).padStart(2, '0')}`;
  const pod: V1Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: `${app}-${at.toString(36).padStart(4, '0')}`, labels: { app, tier: at % 3 === 0 ? 'front' : 'back' } },
    spec: { nodeName: `node-${(at % 12) + 1}`, containers: [{ name: 'main', image: images[at % images.length] ?? '' }] },
    status: {
      phase: 'Running',
      podIP: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
      startTime: startedAt,
      containerStatuses: [
        { name: 'main', ready: true, restartCount: at % 7 === 0 ? 1 : 0, image: '', imageID: '', state: { running: { startedAt } } },
      ],
    },
  };
  return pod;
}

function deploymentOf(name: string, replicas: number, image: string): KubernetesObject {
  const labels = { app: name };
  const spec = { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name, image }] } } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop', labels }, spec } as KubernetesObject;
}

const token = 'dashboard';

/**
 * Starts a cluster with this many pods. A few of them crash now and then, and simulated controllers create and roll out the deployments of
 * `shop`.
 */
export async function startCluster(podCount: number): Promise<Cluster> {
  const server: TestApiServer = await startApiServer({
    schema: 'none',
    // An open page continues when this is started again.
    versionsFromClock: true,
    auth: {
      tokens: { [token]: { name: 'dashboard', groups: ['system:masters'] } },
      authorize: ({ name, groups }, { namespace }) => groups.includes('system:masters') || mayRead(server, name, namespace),
    },
  });
  const client = createClient({ server: server.url, token });
  server.objects.put(Array.from({ length: podCount }, (_, at) => runningPod(at)));
  server.objects.put([deploymentOf('cart', 4, 'cart:1'), deploymentOf('checkout', 3, 'checkout:1'), deploymentOf('search', 6, 'search:1')]);
  const workload = await startWorkload(client, {
    ...{ nodes: 12, endpoints: false, serviceAccounts: false },
    kubelet: { crashRate: 0.004, crashAfterMs: 60_000, crashBackoffMs: 5_000, startMs: 2_000, stopMs: 1_000, workMs: 3_000 },
  });
  const grant = async (user: string, namespace: string, isGranted: boolean): Promise<void> => {
    if (isGranted) {
      await client.create(rolebindings, { metadata: { name: user, namespace }, roleRef: reader, subjects: [subjectOf(user)] });
    } else await client.delete(rolebindings, user, { namespace });
  };
  await client.create(clusterrolebindings, { metadata: { name: 'ada' }, roleRef: reader, subjects: [subjectOf('ada')] });
  const known = new Set((await client.list(namespaces)).items.map(({ metadata }) => metadata?.name));
  for (const namespace of namespacesOfBob) {
    if (!known.has(namespace)) await client.create(namespaces, { metadata: { name: namespace } });
    await grant('bob', namespace, true);
  }
  return {
    client,
    grant,
    close: async () => {
      await workload.stop();
      client.close();
      await server.close();
    },
  };
}
