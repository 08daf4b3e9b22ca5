import { defer, from, switchMap } from 'rxjs';
import type * as whole from './processed.js';

const loaded = (): Promise<typeof whole> => import('./processed.js');

/** Loaded at the first use. Wrong options make the result fail. */
export const slicedEvents: typeof whole.slicedEvents = (...given) =>
  defer(() => from(loaded())).pipe(switchMap((module) => module.slicedEvents(...given)));

/** Loaded at the first use. Wrong options make the result fail. */
export const processed: typeof whole.processed = (...given) =>
  defer(() => from(loaded())).pipe(switchMap((module) => module.processed(...given)));
