import type * as whole from './verifyInformer.js';

/** Loaded at the first use. */
export const verifyInformer: typeof whole.verifyInformer = async (verifying) =>
  (await import('./verifyInformer.js')).verifyInformer(verifying);
