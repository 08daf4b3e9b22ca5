import type { Likeness } from './recordedReplay.js';

/**
 * The cases, by name, in which the embedded server differs from kube-apiserver 1.36.3: which parts of the answer are equal, and why not
 * all. workshop/reports/api-server-fidelity.md has the same list.
 */
export const otherwise: Readonly<Record<string, readonly [alike: Likeness, reason: string]>> = {
  'names: cluster role name with a colon': ['reason', 'an empty list of rules is none, also in a dry run'],
  'deletion: held, PUT while deleting': ['nothing', 'the recorded cluster had changed the object in between'],
  'list: token compacted-like version': ['nothing', 'a token with a negative version other than -1 is refused'],
  'crd: rule too costly': ['nothing', 'the cost of a rule is not estimated: one that runs too long is stopped'],
  'crd: messageExpression too costly': ['nothing', 'the cost of a rule is not estimated: one that runs too long is stopped'],
  'crd: OpenAPI v3 of the group': ['nothing', 'by then the version is not served any more'],
  'rbac: bob binds more': ['nothing', 'no controller had gathered the rules of the role in the recorded cluster'],
  'fieldSelector: clusterroles of rbac.authorization.k8s.io metadata.name=edit': [
    'reason',
    'no controller had gathered the rules of the role in the recorded cluster',
  ],
  'validation: service to NodePort': ['reason', 'a port is drawn from the first number on'],
  'validation: hpa through v1': ['reason', 'the older API does not show the behavior in an annotation'],
  'table: pod completes': ['reason', 'a completed pod is shown in another way'],
  'kinds: config map extension-apiserver-authentication': ['nothing', 'there is no such config map'],
  'namespace: patch inside while terminating': ['reason', 'objects of a namespace that goes are deleted at once'],
  'namespace: release': ['reason', 'objects of a namespace that goes are deleted at once'],
};
