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
];
