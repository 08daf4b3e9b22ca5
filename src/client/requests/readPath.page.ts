import { defer, from, switchMap } from 'rxjs';
import type * as whole from './readPath.js';

/** Loaded at the first use. */
export const readPath: typeof whole.readPath = (...given) =>
  defer(() => from(import('./readPath.js'))).pipe(switchMap((module) => module.readPath(...given)));
