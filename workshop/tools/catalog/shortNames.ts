// Facts about the built-in resources that @kubernetes/client-node does not have. Written by hand.
import type { Verb } from 'rx-informer';

/** Short names by `<plural>` or `<plural>.<group>`, the same in every version. */
export const shortNames: Readonly<Record<string, readonly string[]>> = {
  componentstatuses: ['cs'],
  configmaps: ['cm'],
  endpoints: ['ep'],
  events: ['ev'],
  limitranges: ['limits'],
  namespaces: ['ns'],
  nodes: ['no'],
  persistentvolumeclaims: ['pvc'],
  persistentvolumes: ['pv'],
  pods: ['po'],
  replicationcontrollers: ['rc'],
  resourcequotas: ['quota'],
  serviceaccounts: ['sa'],
  services: ['svc'],
  'customresourcedefinitions.apiextensions.k8s.io': ['crd', 'crds'],
  'daemonsets.apps': ['ds'],
  'deployments.apps': ['deploy'],
  'replicasets.apps': ['rs'],
  'statefulsets.apps': ['sts'],
  'horizontalpodautoscalers.autoscaling': ['hpa'],
  'cronjobs.batch': ['cj'],
  'certificatesigningrequests.certificates.k8s.io': ['csr'],
  'events.events.k8s.io': ['ev'],
  'ingresses.networking.k8s.io': ['ing'],
  'ipaddresses.networking.k8s.io': ['ip'],
  'networkpolicies.networking.k8s.io': ['netpol'],
  'poddisruptionbudgets.policy': ['pdb'],
  'priorityclasses.scheduling.k8s.io': ['pc'],
  'storageclasses.storage.k8s.io': ['sc'],
  'volumeattributesclasses.storage.k8s.io': ['vac'],
};

/** The resources of each category. */
export const categories: Readonly<Record<string, readonly string[]>> = {
  all: [
    'pods',
    'replicationcontrollers',
    'services',
    'daemonsets.apps',
    'deployments.apps',
    'replicasets.apps',
    'statefulsets.apps',
    'horizontalpodautoscalers.autoscaling',
    'cronjobs.batch',
    'jobs.batch',
  ],
  'api-extensions': [
    'mutatingadmissionpolicies.admissionregistration.k8s.io',
    'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
    'mutatingwebhookconfigurations.admissionregistration.k8s.io',
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'validatingadmissionpolicybindings.admissionregistration.k8s.io',
    'validatingwebhookconfigurations.admissionregistration.k8s.io',
    'customresourcedefinitions.apiextensions.k8s.io',
    'apiservices.apiregistration.k8s.io',
  ],
};

/** Verbs in the OpenAPI description that no API server offers. */
export const verbsNotOffered: Readonly<Record<string, readonly Verb[]>> = {
  componentstatuses: ['watch'],
};
