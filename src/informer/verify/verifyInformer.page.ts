import type * as whole from './verifyInformer.js';

/** Loaded when somebody asks for it. */
export const verifyInformer: typeof whole.verifyInformer = async (verifying) =>
  (await import('./verifyInformer.js')).verifyInformer(verifying);
