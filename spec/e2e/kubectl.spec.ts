import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { createKubectl, type Kubectl, kubectlPrograms } from './kubectl.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';

/** What a command should print, and where it should fail: `fails` is what it complains of. */
type Expected = string | RegExp | { readonly fails: RegExp };
/** A command line without spaces in its arguments, what it prints, and what it reads. */
type Command = readonly [line: string, expected: Expected, input?: object];
/** A command, or something that no command of every version can do. */
type Step = Command | ((client: KubeClient, namespace: string) => Promise<unknown>);

const configMap = (name: string, data: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: name } },
  data,
});
const settings: Step = ['create configmap settings --from-literal=a=1', 'configmap/settings created\n'];
const web: Step = ['create deployment web --image=nginx:1 --replicas=2', 'deployment.apps/web created\n'];

const becomeAvailable: Step = async (client, namespace) => {
  const { metadata } = await client.get(resources.apps.v1.deployments, 'web', { namespace });
  const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
  const conditions = [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }];
  const status = { ...counts, conditions, observedGeneration: metadata?.generation };
  await client.status.patch(resources.apps.v1.deployments, 'web', 'merge', { status }, { namespace });
};

/** Tells of the deployment in an event; describe asks for those of its uid. */
const stretch: Step = async (client, namespace) => {
  const { metadata: { uid = '' } = {} } = await client.get(resources.apps.v1.deployments, 'web', { namespace });
  const involvedObject = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace, uid };
  const event = { involvedObject, reason: 'Stretched', message: 'made longer', type: 'Normal' };
  await client.create(resources.core.v1.events, { metadata: { name: 'web.1', namespace }, ...event });
};

const makeNode: Step = (client) => client.create(resources.core.v1.nodes, { metadata: { name: 'worker' } });

/** What kubectl calls to have a file edited. */
const editor = 'sed -i s/\\"1\\"/\\"2\\"/';

const scripts: Readonly<Record<string, readonly Step[]>> = {
  'shows tables, wide ones too (row 55)': [
    web,
    ['get deployments', /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/2 +0 +0 +\d+s\n$/],
    ['get deploy/web -o wide', / CONTAINERS +IMAGES +SELECTOR\nweb .* nginx +nginx:1 +app=web\n$/],
    ['get deployments -o name', 'deployment.apps/web\n'],
  ],
  'shows objects as YAML, as JSON and in columns of its own (row 55)': [
    settings,
    ['get configmap settings -o yaml', /^apiVersion: v1\ndata:\n {2}a: "1"\nkind: ConfigMap\nmetadata:\n/],
    ['get configmap settings -o json', /"data": \{\n\s+"a": "1"\n\s+\}/],
    ['get configmap settings -o jsonpath={.data.a}', '1'],
    ['get configmaps -o custom-columns=N:.metadata.name,A:.data.a', /^N +A\nsettings +1\n$/],
  ],
  'selects by labels and by fields (rows 85, 86)': [
    ['create -f -', 'configmap/one created\n', configMap('one', {})],
    ['create -f -', 'configmap/two created\n', configMap('two', {})],
    ['get configmaps -l app=one -o name', 'configmap/one\n'],
    ['get configmaps -l app!=one -o name', 'configmap/two\n'],
    ['get configmaps -l app=three', ''],
    ['get configmaps --field-selector metadata.name=two -o name', 'configmap/two\n'],
    ['get configmaps --field-selector data.a=1', { fails: /BadRequest.*"data\.a" is not a known field selector/ }],
  ],
  'creates once (row 66)': [
    ['create -f -', 'configmap/one created\n', configMap('one', {})],
    ['create -f -', { fails: /\(AlreadyExists\).*configmaps "one" already exists/ }, configMap('one', {})],
    ['get configmap other', { fails: /\(NotFound\): configmaps "other" not found/ }],
  ],
  'applies, and leaves alone what is the same (rows 69, 23)': [
    ['apply -f -', 'configmap/one created\n', configMap('one', { a: '1', b: '1' })],
    ['apply -f -', 'configmap/one unchanged\n', configMap('one', { a: '1', b: '1' })],
    ['apply -f -', 'configmap/one configured\n', configMap('one', { a: '2' })],
    ['get configmap one -o jsonpath={.data}', '{"a":"2"}'],
  ],
  'applies on the server, and tells of conflicts (row 73)': [
    ['apply --server-side --field-manager=me -f -', 'configmap/one serverside-applied\n', configMap('one', { a: '1' })],
    ['apply --server-side --field-manager=you -f -', { fails: /conflict with "me": \.data\.a/ }, configMap('one', { a: '2' })],
    ['get configmap one -o jsonpath={.data}', '{"a":"1"}'],
    ['apply --server-side --field-manager=you --force-conflicts -f -', /serverside-applied/, configMap('one', { a: '2' })],
    ['get configmap one -o jsonpath={.data}', '{"a":"2"}'],
  ],
  'patches in three ways (rows 70, 71, 72)': [
    web,
    ['patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"side","image":"b:1"}]}}}}', 'deployment.apps/web patched\n'],
    ['get deploy web -o jsonpath={..image}', 'b:1 nginx:1'],
    ['patch deploy web --type=merge -p {"spec":{"template":{"spec":{"containers":[{"name":"c","image":"c:1"}]}}}}', /patched\n$/],
    ['get deploy web -o jsonpath={..image}', 'c:1'],
    ['patch deploy web --type=json -p [{"op":"replace","path":"/spec/replicas","value":7}]', /patched\n$/],
    ['get deploy web -o jsonpath={.spec.replicas}', '7'],
    ['patch deploy web --type=json -p [{"op":"test","path":"/spec/replicas","value":8}]', { fails: /\S/ }],
  ],
  'labels and annotates': [
    settings,
    ['label configmap settings tier=front', 'configmap/settings labeled\n'],
    ['label configmap settings tier=back', { fails: /already has a value/ }],
    ['annotate configmap settings note=x', 'configmap/settings annotated\n'],
    ['get configmap settings -o jsonpath={.metadata.labels.tier},{.metadata.annotations.note}', 'front,x'],
    ['label configmap settings tier-', /^configmap\/settings (un)?labeled\n$/],
    ['get configmaps -l tier', ''],
  ],
  'scales (row 84)': [
    web,
    ['scale deploy web --replicas=5', 'deployment.apps/web scaled\n'],
    ['scale deploy web --current-replicas=2 --replicas=9', { fails: /Expected replicas to be 2, was 5/i }],
    ['get deploy web -o jsonpath={.spec.replicas},{.metadata.generation}', '5,2'],
  ],
  'sets an image (row 72)': [
    web,
    ['set image deploy/web nginx=nginx:2', 'deployment.apps/web image updated\n'],
    ['get deploy web -o jsonpath={..image}', 'nginx:2'],
  ],
  'waits for a condition and for a rollout (row 89)': [
    web,
    ['rollout status deploy/web --timeout=1s', { fails: /timed out waiting/ }],
    becomeAvailable,
    ['wait deploy/web --for=condition=Available --timeout=20s', 'deployment.apps/web condition met\n'],
    ['rollout status deploy/web --timeout=20s', 'deployment "web" successfully rolled out\n'],
    ['get deploy web', / 2\/2 +2 +2 +\d+s\n$/],
  ],
  'describes an object and its events (row 87)': [
    web,
    stretch,
    ['describe deploy web', /^Name: +web\n[^]*Replicas: +2 desired[^]*Image: +nginx:1\n[^]*Events:[^]*Stretched .*made longer\n/],
  ],
  'deletes, after the last finalizer is gone (rows 25, 80)': [
    settings,
    ['patch configmap settings --type=merge -p {"metadata":{"finalizers":["example.com/hold"]}}', /patched\n$/],
    ['delete configmap settings --timeout=1s', { fails: /timed out waiting/ }],
    ['get configmap settings -o jsonpath={.metadata.deletionTimestamp}', /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/],
    ['patch configmap settings --type=merge -p {"metadata":{"finalizers":null}}', /patched\n$/],
    ['get configmap settings', { fails: /\(NotFound\)/ }],
  ],
  'creates and drains a namespace (rows 92, 108)': [
    ['create namespace drained', 'namespace/drained created\n'],
    ['create configmap inside --from-literal=a=1 --namespace=drained', 'configmap/inside created\n'],
    ['get configmaps -A --field-selector metadata.namespace=drained', /^NAMESPACE +NAME +DATA +AGE\ndrained +inside +1 +\d+s\n$/],
    ['delete namespace drained', /^namespace "drained" deleted/],
    ['get namespace drained', { fails: /\(NotFound\)/ }],
    ['get configmaps -A --field-selector metadata.namespace=drained', ''],
  ],
  'discovers what there is (row 49)': [
    [
      'api-resources --api-group=apps',
      /^NAME +SHORTNAMES +API(VERSION|GROUP) +NAMESPACED +KIND\n[^]*\ndeployments +deploy +apps\S* +true +Deployment\n/,
    ],
    ['api-resources --namespaced=false -o name', /^namespaces\nnodes\n/m],
    ['api-versions', /^apps\/v1$/m],
  ],
  'explains kinds from OpenAPI': [
    ['explain deployments', /KIND: +Deployment[^]*VERSION: +(apps\/)?v1[^]*spec/],
    ['explain pods.spec.containers.image', /image|FIELD/],
  ],
  'shows what applying would change': [
    ['apply -f -', 'configmap/one created\n', configMap('one', { a: '1' })],
    ['diff -f -', { fails: /^$/ }, configMap('one', { a: '2' })],
    ['diff -f -', '', configMap('one', { a: '1' })],
    ['apply --dry-run=server -f -', 'configmap/one configured (server dry run)\n', configMap('one', { a: '2' })],
    ['get configmap one -o jsonpath={.data.a}', '1'],
  ],
  'edits, replaces, and replaces by force': [
    settings,
    ['edit configmap settings', 'configmap/settings edited\n'],
    ['get configmap settings -o jsonpath={.data.a}', '2'],
    ['replace -f -', 'configmap/settings replaced\n', configMap('settings', { a: '3' })],
    ['replace --force -f -', 'configmap "settings" deleted\nconfigmap/settings replaced\n', configMap('settings', { a: '4' })],
    ['get configmap settings -o jsonpath={.data.a}', '4'],
  ],
  'runs pods, exposes and autoscales': [
    ['run one --image=nginx:1 --labels=app=one --port=80', 'pod/one created\n'],
    ['expose pod one --port=80', 'service/one exposed\n'],
    ['get service one -o jsonpath={.spec.selector.app},{.spec.ports[0].targetPort}', 'one,80'],
    web,
    ['autoscale deployment web --min=1 --max=3', /autoscaled\n$/],
    ['get hpa web -o jsonpath={.spec.maxReplicas}', '3'],
    ['delete pod one --grace-period=0 --force', /pod "one" (force )?deleted/],
  ],
  'makes what it can make by itself': [
    ['create secret generic s --from-literal=k=v', 'secret/s created\n'],
    ['get secret s -o jsonpath={.data.k}', 'dg=='],
    ['create role reader --verb=get,list --resource=pods', 'role.rbac.authorization.k8s.io/reader created\n'],
    ['create rolebinding readers --role=reader --user=alice', 'rolebinding.rbac.authorization.k8s.io/readers created\n'],
    ['create job once --image=busybox', 'job.batch/once created\n'],
    ['create ingress i --rule=a.example.com/*=web:80', 'ingress.networking.k8s.io/i created\n'],
    ['create quota q --hard=pods=3', 'resourcequota/q created\n'],
    ['create service clusterip c --tcp=80:8080', 'service/c created\n'],
    ['get role,rolebinding,job,ingress,quota,service -o name', /^role[^]*service\/c\n$/],
  ],
  'restarts, pauses and shows the history of a rollout': [
    web,
    ['rollout restart deploy/web', 'deployment.apps/web restarted\n'],
    ['rollout pause deploy/web', 'deployment.apps/web paused\n'],
    ['get deploy web -o jsonpath={.spec.paused}', 'true'],
    ['rollout resume deploy/web', 'deployment.apps/web resumed\n'],
    ['rollout history deploy/web', /deployment.apps\/web/],
  ],
  'sorts, shows labels, reads raw paths and deletes by labels': [
    ['create -f -', 'configmap/one created\n', configMap('one', { a: '2' })],
    ['create -f -', 'configmap/two created\n', configMap('two', { a: '1' })],
    ['get configmaps --sort-by=.data.a -o name', /^configmap\/two\nconfigmap\/one\n$/],
    ['get configmaps --show-labels', /LABELS\n[^]*app=one\n/],
    ['get --raw /healthz', 'ok'],
    ['delete configmaps -l app=one', 'configmap "one" deleted\n'],
    ['get configmaps -o name', 'configmap/two\n'],
  ],
  'taints, cordons and labels nodes': [
    makeNode,
    ['taint node worker k=v:NoSchedule --overwrite', /^node\/worker (tainted|modified)\n$/],
    ['cordon worker', /^node\/worker (already )?cordoned\n$/],
    ['uncordon worker', 'node/worker uncordoned\n'],
    ['get nodes', /^NAME +STATUS +ROLES +AGE +VERSION\nworker +/],
    ['delete node worker', 'node "worker" deleted\n'],
  ],
  'asks what it may (row 95)': [
    ['auth can-i delete pods', 'yes\n'],
    ['auth can-i --list', /^\*\.\* .*\[\*\]$/m],
  ],
};

/** Commands that are younger than the oldest kubectl, by the minor version that brought them. */
const younger: Readonly<Record<string, readonly [since: number, steps: readonly Step[]]>> = {
  'makes tokens of service accounts': [
    24,
    [
      ['create serviceaccount robot', 'serviceaccount/robot created\n'],
      ['create token robot', /^[\w-]+\.[\w-]+\.[\w-]+\n?$/],
    ],
  ],
  'tells of events by its own command': [26, [web, stretch, ['events', /Stretched +Deployment\/web +made longer/]]],
  'waits for what JSONPath finds': [23, [settings, ['wait configmap/settings --for=jsonpath={.data.a}=1 --timeout=5s', /condition met/]]],
  'writes statuses through the subresource': [
    24,
    [
      web,
      ['patch deploy web --subresource=status --type=merge -p {"status":{"readyReplicas":1,"replicas":1}}', /patched/],
      ['get deploy web -o jsonpath={.status.readyReplicas}', '1'],
    ],
  ],
};

const minorOf = (version: string): number => Number(/^v1\.(\d+)/.exec(version)?.[1] ?? 0);

const programs = kubectlPrograms();
if (programs.length === 0) console.warn('kubectl is not installed: its specs are skipped. Debian has it in the package kubernetes-client.');
const none = [{ version: '', path: '' }];

(programs.length === 0 ? describe.skip : describe).each(programs.length === 0 ? none : programs)(
  'kubectl $version',
  ({ version, path }) => {
    let server: ServerProcess;
    let kubectl: Kubectl;
    let client: KubeClient;
    let namespaces = 0;

    beforeAll(async () => {
      server = await startServerProcess();
      kubectl = createKubectl(server.kubeconfigPath, path, { KUBE_EDITOR: editor });
      client = createClient({ server: server.url });
    });

    afterAll(async () => {
      client.close();
      kubectl.remove();
      await server.end();
    });

    async function makeNamespace(): Promise<string> {
      const name = `script-${String((namespaces += 1))}`;
      await client.create(resources.core.v1.namespaces, { metadata: { name } });
      return name;
    }

    /** What a step did, beside what it should do. */
    async function perform(step: Step, namespace: string): Promise<{ readonly actual: object; readonly expected: object }> {
      if (typeof step === 'function') {
        await step(client, namespace);
        return { actual: {}, expected: {} };
      }
      const [line, output, input] = step;
      const words = line.split(' ');
      const own = words.some((word) => word === '-A' || word.startsWith('--namespace=')) ? [] : [`--namespace=${namespace}`];
      const result = await kubectl.run([...words, ...own], input && JSON.stringify(input));
      const expected =
        typeof output === 'object' && 'fails' in output
          ? { code: 1, stderr: expect.stringMatching(output.fails) as unknown }
          : { code: 0, stdout: typeof output === 'string' ? output : (expect.stringMatching(output) as unknown) };
      return { actual: { line, ...result }, expected: { line, ...expected } };
    }

    const known = Object.entries(younger).flatMap(([name, [since, steps]]) => (minorOf(version) >= since ? [[name, steps] as const] : []));
    it.each([...Object.entries(scripts), ...known])('%s', async (_, steps) => {
      const namespace = await makeNamespace();
      for (const step of steps) {
        const { actual, expected } = await perform(step, namespace);
        expect(actual).toMatchObject(expected);
      }
    });

    it('gives up waiting for a quiet object on time (row 1)', async () => {
      const namespace = await makeNamespace();
      await perform(web, namespace);
      const before = performance.now();
      const waiting: Step = ['wait deploy/web --for=condition=Available --timeout=1s', { fails: /timed out waiting for the condition/ }];
      const { actual, expected } = await perform(waiting, namespace);
      // One second and what it takes to start kubectl; without headers it hangs until it is killed.
      expect(performance.now() - before).toBeLessThan(15_000);
      expect(actual).toMatchObject(expected);
    });
  },
);
