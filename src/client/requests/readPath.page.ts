import { defer, from, switchMap } from 'rxjs';
import type * as whole from './readPath.js';

/** Loaded when somebody asks for it. */
export const readPath: typeof whole.readPath = (...given) =>
  defer(() => from(import('./readPath.js'))).pipe(switchMap((module) => module.readPath(...given)));
