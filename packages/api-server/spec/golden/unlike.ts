/**
 * The cases, by name, in which the embedded server differs from kube-apiserver 1.36, each with a reason. workshop/reports/api-server-fidelity.md has
 * the same list.
 */
export const unlike: Readonly<Record<string, string>> = {
  'watch yaml': 'a long text in YAML is folded at another word',
  'table crds': 'a table without rows has an empty list, never `null`',
  'GET version': 'the platform is named, as servers built by Kubernetes do; the recorded one was built by a distribution',
  'GET healthz verbose': 'the checks are those of this server',
  'GET metrics': 'there are no metrics',
  'GET openapi v2 pb': 'the paths are those that are served here',
};
