/** A Go module of a project with CustomResourceDefinitions. */
export interface DefinitionSource {
  readonly project: string;
  readonly module: string;
  /** Folders or files with definitions. */
  readonly definitions: readonly string[];
  /** Folders with objects of these kinds, if the module has any. */
  readonly samples: readonly string[];
}

/** The projects whose definitions are tested, in versions that the Go version of this repository's tools supports. */
export const definitionSources: readonly DefinitionSource[] = [
  {
    project: 'prometheus-operator',
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    definitions: ['example/prometheus-operator-crd-full'],
    samples: ['example'],
  },
  {
    project: 'cluster-api',
    module: 'sigs.k8s.io/cluster-api@v1.14.2',
    definitions: ['core/config/crd/bases', 'controlplane/kubeadm/config/crd/bases', 'bootstrap/kubeadm/config/crd/bases'],
    samples: [],
  },
  { project: 'keda', module: 'github.com/kedacore/keda/v2@v2.21.0', definitions: ['config/crd/bases'], samples: ['config/samples'] },
  { project: 'knative serving', module: 'knative.dev/serving@v0.51.0', definitions: ['config/core/300-resources'], samples: [] },
  {
    project: 'knative eventing',
    module: 'knative.dev/eventing@v0.46.0',
    definitions: ['config/core/resources', 'config/channels/in-memory-channel/resources'],
    samples: [],
  },
  { project: 'tekton', module: 'github.com/tektoncd/pipeline@v1.6.0', definitions: ['config/300-crds'], samples: ['examples/v1'] },
  { project: 'kueue', module: 'sigs.k8s.io/kueue@v0.17.0', definitions: ['config/components/crd/bases'], samples: [] },
  {
    project: 'cloudnative-pg',
    module: 'github.com/cloudnative-pg/cloudnative-pg@v1.27.0',
    definitions: ['config/crd/bases'],
    samples: ['docs/src/samples'],
  },
  { project: 'cert-manager', module: 'github.com/cert-manager/cert-manager@v1.21.2', definitions: ['deploy/crds'], samples: [] },
  { project: 'istio', module: 'istio.io/api@v1.31.4', definitions: ['kubernetes'], samples: [] },
  { project: 'kyverno', module: 'github.com/kyverno/kyverno@v1.19.1', definitions: ['config/crds'], samples: ['test/best_practices'] },
  {
    project: 'external-secrets',
    module: 'github.com/external-secrets/external-secrets@v1.3.2',
    definitions: ['config/crds/bases'],
    samples: ['docs/snippets'],
  },
  {
    project: 'gatekeeper',
    module: 'github.com/open-policy-agent/gatekeeper/v3@v3.23.1',
    definitions: ['config/crd/bases'],
    samples: ['config/samples', 'example'],
  },
  {
    project: 'elastic',
    module: 'github.com/elastic/cloud-on-k8s/v3@v3.5.0',
    definitions: ['config/crds/v1/resources'],
    samples: ['config/samples'],
  },
  {
    project: 'traefik',
    module: 'github.com/traefik/traefik/v3@v3.7.13',
    definitions: ['docs/content/reference/dynamic-configuration'],
    samples: [],
  },
  {
    project: 'velero',
    module: 'github.com/vmware-tanzu/velero@v1.18.3',
    definitions: ['config/crd/v1/bases', 'config/crd/v2alpha1/bases'],
    samples: ['examples'],
  },
  {
    project: 'cilium',
    module: 'github.com/cilium/cilium@v1.20.2',
    definitions: ['pkg/k8s/apis/cilium.io/client/crds'],
    samples: ['examples'],
  },
  { project: 'argo-rollouts', module: 'github.com/argoproj/argo-rollouts@v1.8.3', definitions: ['manifests/crds'], samples: ['examples'] },
  { project: 'argo-cd', module: 'github.com/argoproj/argo-cd/v3@v3.2.0', definitions: ['manifests/crds'], samples: ['examples'] },
  {
    project: 'argo-workflows',
    module: 'github.com/argoproj/argo-workflows/v3@v3.7.0',
    definitions: ['manifests/base/crds/full'],
    samples: ['examples'],
  },
  { project: 'karpenter', module: 'sigs.k8s.io/karpenter@v1.8.0', definitions: ['pkg/apis/crds', 'kwok/apis/crds'], samples: [] },
  {
    project: 'flux source-controller',
    module: 'github.com/fluxcd/source-controller@v1.7.0',
    definitions: ['config/crd/bases'],
    samples: ['config/samples'],
  },
  { project: 'crossplane', module: 'github.com/crossplane/crossplane/v2@v2.0.0', definitions: ['cluster/crds'], samples: [] },
  { project: 'gateway-api', module: 'sigs.k8s.io/gateway-api@v1.4.1', definitions: ['config/crd/experimental'], samples: ['examples'] },
  { project: 'metallb', module: 'go.universe.tf/metallb@v0.16.2', definitions: ['config/crd/bases'], samples: ['configsamples'] },
  {
    project: 'kro',
    module: 'github.com/kubernetes-sigs/kro@v0.9.4',
    definitions: ['helm/crds', 'test/integration/crds'],
    samples: ['examples'],
  },
  {
    project: 'kuberay',
    module: 'github.com/ray-project/kuberay/ray-operator@v1.5.0',
    definitions: ['config/crd/bases'],
    samples: ['config/samples'],
  },
  {
    project: 'katib',
    module: 'github.com/kubeflow/katib@v0.19.0',
    definitions: ['manifests/v1beta1/components/crd'],
    samples: ['examples'],
  },
  {
    project: 'flux helm-controller',
    module: 'github.com/fluxcd/helm-controller@v1.4.0',
    definitions: ['config/crd/bases'],
    samples: ['config/samples', 'config/testdata'],
  },
  {
    project: 'opentelemetry-operator',
    module: 'github.com/open-telemetry/opentelemetry-operator@v0.131.0',
    definitions: ['config/crd/bases'],
    samples: ['config/samples', 'tests'],
  },
  { project: 'lws', module: 'sigs.k8s.io/lws@v0.7.0', definitions: ['config/crd/bases'], samples: ['config/samples', 'docs/examples'] },
  {
    project: 'jobset',
    module: 'sigs.k8s.io/jobset@v0.10.1',
    definitions: ['config/components/crd/bases'],
    samples: ['config/samples', 'site', 'test'],
  },
  {
    project: 'spark-operator',
    module: 'github.com/kubeflow/spark-operator/v2@v2.3.0',
    definitions: ['config/crd/bases'],
    samples: ['config/samples', 'examples'],
  },
  { project: 'kserve', module: 'github.com/kserve/kserve@v0.15.2', definitions: ['config/crd/full'], samples: ['docs/samples'] },
  {
    project: 'external-snapshotter',
    module: 'github.com/kubernetes-csi/external-snapshotter/client/v8@v8.2.0',
    definitions: ['config/crd'],
    samples: [],
  },
  {
    project: 'contour',
    module: 'github.com/projectcontour/contour@v1.32.0',
    definitions: ['examples/contour'],
    samples: ['examples', 'site/content/examples'],
  },
  {
    project: 'envoy gateway',
    module: 'github.com/envoyproxy/gateway@v1.5.0',
    definitions: ['charts/gateway-helm/crds'],
    samples: ['examples', 'test/e2e/testdata'],
  },
  {
    project: 'rabbitmq',
    module: 'github.com/rabbitmq/cluster-operator/v2@v2.16.0',
    definitions: ['config/crd/bases'],
    samples: ['config/samples', 'docs/examples'],
  },
  {
    project: 'node-feature-discovery',
    module: 'sigs.k8s.io/node-feature-discovery@v0.17.3',
    definitions: ['deployment/base'],
    samples: ['examples', 'deployment'],
  },
  { project: 'frr-k8s', module: 'github.com/metallb/frr-k8s@v0.0.21', definitions: ['config/crd/bases'], samples: ['config/samples'] },
  {
    project: 'network-policy-api',
    module: 'sigs.k8s.io/network-policy-api@v0.3.0',
    definitions: ['config/crd/experimental'],
    samples: ['conformance', 'site-src'],
  },
  { project: 'whereabouts', module: 'github.com/k8snetworkplumbingwg/whereabouts@v0.9.2', definitions: ['doc/crds'], samples: ['doc'] },
  { project: 'flagger', module: 'github.com/fluxcd/flagger@v1.41.0', definitions: ['artifacts/flagger'], samples: ['artifacts/examples'] },
  { project: 'dapr', module: 'github.com/dapr/dapr@v1.16.0', definitions: ['charts/dapr/crds'], samples: ['tests'] },
  {
    project: 'open-cluster-management',
    module: 'open-cluster-management.io/api@v1.0.0',
    definitions: ['addon', 'cluster', 'operator', 'work'],
    samples: [],
  },
  { project: 'external-dns', module: 'sigs.k8s.io/external-dns@v0.19.0', definitions: ['config/crd/standard'], samples: ['docs'] },
];
