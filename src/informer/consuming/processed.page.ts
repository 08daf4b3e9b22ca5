import { defer, from, switchMap } from 'rxjs';
import type * as whole from './processed.js';

const loaded = (): Promise<typeof whole> => import('./processed.js');

/** Loaded when somebody asks for it. Wrong options fail the result. */
export const slicedEvents: typeof whole.slicedEvents = (...given) =>
  defer(() => from(loaded())).pipe(switchMap((module) => module.slicedEvents(...given)));

/** The same. */
export const processed: typeof whole.processed = (...given) =>
  defer(() => from(loaded())).pipe(switchMap((module) => module.processed(...given)));
