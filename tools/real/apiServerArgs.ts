/** Of kube-apiserver, as the environment has them, for example `WatchList=true`; empty for those that the version comes with. */
export const featureGates: string = process.env['FEATURE_GATES'] ?? '';

/** The arguments of the real API servers that `npm run test:real` starts. */
export const apiServerArgs: readonly string[] = featureGates === '' ? [] : [`--feature-gates=${featureGates}`];
