import { defer, switchMap } from 'rxjs';
import { errorOf, InformerError } from '../../api/errors/informerError.js';
import type { RunningHandler } from '../session/informerContext.js';
import type * as whole from './consumers.js';

const load = (): Promise<typeof whole> => import('./consumers.js');

/** Loaded at the first use. Wrong options make the result fail. */
export const slicedEvents: typeof whole.slicedEvents = (...given) => defer(load).pipe(switchMap((module) => module.slicedEvents(...given)));

/** Loaded at the first use. Wrong options make the result fail. */
export const processed: typeof whole.processed = (...given) => defer(load).pipe(switchMap((module) => module.processed(...given)));

/** Loaded with the first handler. Errors in its arguments are reported, not thrown. */
export const createHandler: typeof whole.createHandler = (context, usualName, handler, options) => {
  const name = options.name ?? usualName;
  let isRemoved = false;
  let added: RunningHandler | undefined;
  const adding = load().then((module) => {
    const created = module.createHandler(context, name, handler, options);
    added = created;
    if (isRemoved) created.remove();
    else created.follow();
    return created;
  });
  adding.catch((cause: unknown) => {
    const message = `The handler ${name} cannot be added: ${errorOf(cause).message}`;
    context.report(new InformerError({ code: 'ERR_HANDLER', message, cause, resource: context.resource }));
  });
  return {
    name,
    follow: () => undefined,
    isBusy: () => added?.isBusy() === true,
    hasSynced: () => added?.hasSynced() === true,
    whenSynced: async (waiting) => (await adding).whenSynced(waiting),
    remove: () => {
      isRemoved = true;
      added?.remove();
    },
    removed: adding.then(
      ({ removed }) => removed,
      () => undefined,
    ),
  };
};
