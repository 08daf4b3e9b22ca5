import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './operator.js';
import { hasCondition, type OperatorRun } from './operatorRun.js';

const namespace = 'cert-manager';
const service = 'cert-manager-webhook';
const authority = `${service}-ca`;

/** A webhook as the chart has it; the program cainjector adds the authority that the webhook's program makes. */
function webhookConfiguration(kind: string, path: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: service, annotations: { 'cert-manager.io/inject-ca-from-secret': `${namespace}/${authority}` } },
    webhooks: [
      {
        name: 'webhook.cert-manager.io',
        rules: [{ apiGroups: ['cert-manager.io'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['*/*'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        clientConfig: { service: { name: service, namespace, path } },
      },
    ],
  };
}

/** The definitions in the chart, without what the templates add. */
function definitions(sources: string): readonly string[] {
  const folder = join(sources, 'deploy/crds');
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.map((name) =>
    readFileSync(join(folder, name), 'utf8')
      .replaceAll(/'\{\{.*\}\}'/g, 'x')
      .replaceAll(/^.*\{\{.*\}\}.*\n/gm, ''),
  );
}

function start(run: OperatorRun, { controller = '', webhook = '', cainjector = '' }: Readonly<Record<string, string>>): void {
  const common = [`--kubeconfig=${run.server.kubeconfigPath}`];
  const local = (name: string): string => `127.0.0.1:${String(run.portOf(name))}`;
  run.program(controller, [
    ...common,
    '--leader-elect=false',
    `--cluster-resource-namespace=${namespace}`,
    `--metrics-listen-address=${local('metrics')}`,
  ]);
  run.program(cainjector, [...common, '--leader-elect=false']);
  run.program(webhook, [
    ...common,
    `--secure-port=${String(run.portOf(service))}`,
    `--healthz-port=${String(run.portOf('health'))}`,
    `--dynamic-serving-ca-secret-namespace=${namespace}`,
    `--dynamic-serving-ca-secret-name=${authority}`,
    `--dynamic-serving-dns-names=${service}.${namespace}.svc`,
  ]);
}

const group = 'cert-manager.io/v1';
const path = `/apis/${group}/namespaces/default`;
const thing = (kind: string, name: string, spec: object): object => ({ apiVersion: group, kind, metadata: { name }, spec });
const certificate = (name: string, issuer: string, isCA: boolean): object =>
  thing('Certificate', name, { secretName: name, commonName: name, isCA, issuerRef: { name: issuer } });

/** A self-signed authority, an issuer of it, and a certificate: its Secret has a key, and the certificate is ready. */
export const certManager: Operator = {
  name: 'cert-manager',
  // Later modules do not have the programs.
  module: 'github.com/cert-manager/cert-manager@v1.11.5',
  programs: { controller: './cmd/controller', webhook: './cmd/webhook', cainjector: './cmd/cainjector' },
  ports: [service, 'metrics', 'health'],
  async reach(run, programs) {
    run.server.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const text of definitions(run.sources)) run.server.objects.put(text);
    await run.create(
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
      webhookConfiguration('MutatingWebhookConfiguration', '/mutate'),
    );
    await run.create(
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      webhookConfiguration('ValidatingWebhookConfiguration', '/validate'),
    );
    start(run, programs);
    await run.create(`${path}/issuers`, thing('Issuer', 'self-signed', { selfSigned: {} }));
    await run.create(`${path}/certificates`, certificate('authority', 'self-signed', true));
    await run.create(`${path}/issuers`, thing('Issuer', 'authority', { ca: { secretName: 'authority' } }));
    await run.create(`${path}/certificates`, certificate('leaf', 'authority', false));
    await run.until('the certificate is ready', () => hasCondition(run.get(group, 'Certificate', 'default', 'leaf'), 'Ready'));
    await run.until('its secret has a key', () => run.get('v1', 'Secret', 'default', 'leaf')?.data?.['tls.key'] !== undefined);
  },
};
