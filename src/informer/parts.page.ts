import { defer, from, identity, Subscription, switchMap } from 'rxjs';
import { errorOf, InformerError } from '../api/errors/informerError.js';
import { notInPages } from '../api/notInPages.js';
import type * as working from './consuming/process.js';
import type * as whole from './parts.js';
import type { RunningHandler } from './session/informerContext.js';
import { warmParts, type WarmStore } from './warm/warmParts.js';

export const shardedSource = (): never => notInPages('`shard`');

export function checkQueue(queueing: unknown): void {
  if (queueing !== undefined && queueing !== false) notInPages('`deltaFifo`');
}

export const queuedCache = (): never => notInPages('`deltaFifo`');

export const createWritesView = (): undefined => undefined;

export const ownWritesOf = (): never => notInPages('`readYourWrites`');

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- replaces a class
export class InformerTrace {
  constructor() {
    notInPages('`trace`');
  }
}

export const createResyncClock: typeof whole.createResyncClock = ({ periodMs }) => {
  if (periodMs > 0) notInPages('`resyncPeriodMs`');
  return {
    join: (wanted = 0) => (wanted > 0 ? notInPages('`resyncPeriodMs`') : new Subscription()),
    tick: () => identity,
  };
};

/** The warm start comes with a store for pages. */
export const warmCacheOf: typeof whole.warmCacheOf = (init) => {
  const { [warmParts]: parts } = init.warmStart.store as WarmStore;
  return parts?.warmCacheOf(init) ?? notInPages('`warmStart` without a store for pages');
};

/** The verifier comes with a store for pages. */
export const verifierOf: typeof whole.verifierOf = (resource, options) => {
  const { [warmParts]: parts } = (options.warmStart?.store ?? {}) as Partial<WarmStore>;
  if (parts !== undefined) return parts.verifierOf(resource, options);
  return options.verification === undefined ? undefined : notInPages('`verification` without a `warmStart`');
};

/** Loaded at the first use. */
export const verifyInformer: typeof whole.verifyInformer = async (verifying) =>
  (await import('./verify/verifyInformer.js')).verifyInformer(verifying);

const loadWorking = (): Promise<typeof working> => import('./consuming/process.js');

/** Loaded at the first use. Wrong options make the result fail. */
export const slicedEvents: typeof whole.slicedEvents = (...given) =>
  defer(() => from(loadWorking())).pipe(switchMap((module) => module.slicedEvents(...given)));

/** Loaded at the first use. Wrong options make the result fail. */
export const processed: typeof whole.processed = (...given) =>
  defer(() => from(loadWorking())).pipe(switchMap((module) => module.processed(...given)));

/** Loaded with the first handler. Errors in its arguments are reported, not thrown. */
export const createHandler: typeof whole.createHandler = (context, usualName, handler, options) => {
  const name = options.name ?? usualName;
  let isRemoved = false;
  let added: RunningHandler | undefined;
  const adding = import('./consuming/createHandler.js').then((module) => {
    const created = module.createHandler(context, name, handler, options);
    added = created;
    if (isRemoved) created.remove();
    else created.follow();
    return created;
  });
  adding.catch((cause: unknown) => {
    const message = `The handler ${name} cannot be added: ${errorOf(cause).message}`;
    context.report(new InformerError({ code: 'ERR_HANDLER', message, cause }));
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
