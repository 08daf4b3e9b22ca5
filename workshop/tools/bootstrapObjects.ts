/**
 * Reads the initial objects of a cluster from a real API server, and stores the parts that do not depend on the run:
 *
 *   node --import ./workshop/tools/register-ts-node.mjs workshop/tools/bootstrapObjects.ts     derives workshop/tools/schemas/bootstrap-1.36.json; workshop/tools/packSchemas.ts is next
 *
 * Needs etcd and kube-apiserver in the folder of KUBEBUILDER_ASSETS or on the PATH.
 */
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { startRealApiServer } from '@rx-informer/api-server';

interface Stored {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const rbac = 'rbac.authorization.k8s.io';
const flow = 'flowcontrol.apiserver.k8s.io';
const resources: readonly (readonly [group: string, plural: string])[] = [
  [rbac, 'clusterroles'],
  [rbac, 'clusterrolebindings'],
  [rbac, 'roles'],
  [rbac, 'rolebindings'],
  ['scheduling.k8s.io', 'priorityclasses'],
  [flow, 'flowschemas'],
  [flow, 'prioritylevelconfigurations'],
  ['networking.k8s.io', 'servicecidrs'],
];

function plain({ metadata, ...rest }: Stored): Stored {
  const { uid: _, resourceVersion: _version, creationTimestamp: _time, managedFields: _managers, ...kept } = metadata;
  return { metadata: kept, ...rest };
}

const server = await startRealApiServer();
const { ca, clientCert: cert, clientKey: key } = server.credentials;

function list(path: string): Promise<readonly Stored[]> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}${path}`, { ca, cert, key }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        resolve((JSON.parse(text) as { readonly items: readonly Stored[] }).items);
      });
    });
    asked.on('error', reject).end();
  });
}

try {
  const found: Record<string, readonly Stored[]> = {};
  for (const [group, plural] of resources) found[`${group}/${plural}`] = (await list(`/apis/${group}/v1/${plural}`)).map(plain);
  const dated = JSON.stringify(found, undefined, 2).replaceAll(/"lastTransitionTime": "[^"]*"/g, '"lastTransitionTime": "NOW"');
  writeFileSync(new URL('schemas/bootstrap-1.36.json', import.meta.url), `${dated}\n`);
} finally {
  await server.close();
}
