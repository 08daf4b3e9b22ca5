/** The feature gates of kube-apiserver from the environment, for example `WatchList=true`; empty for the version's defaults. */
export const featureGates: string = process.env['FEATURE_GATES'] ?? '';

/** The arguments of the real API servers that `npm run test:real` starts. */
export const apiServerArgs: readonly string[] = featureGates === '' ? [] : [`--feature-gates=${featureGates}`];
