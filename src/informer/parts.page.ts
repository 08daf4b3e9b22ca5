import { defer, from, identity, Subscription, switchMap } from 'rxjs';
import { errorOf, InformerError } from '../api/errors/informerError.js';
import { notInPages } from '../api/notInPages.js';
import type * as working from './consuming/process.js';
import type * as whole from './parts.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './resourceEventHandler.js';
import type { InformerContext } from './session/informerContext.js';
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
export class HandlerRegistry<T> {
  private readonly context: InformerContext<T>;
  private registry: whole.HandlerRegistry<T> | undefined;
  private count = 0;
  private isStopped = false;

  constructor(context: InformerContext<T>) {
    this.context = context;
  }

  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration {
    this.count += 1;
    const name = options.name ?? `${this.context.name} handler ${this.count}`;
    let isRemoved = false;
    const adding = this.load().then((registry) => {
      const registration = registry.add(handler, { ...options, name });
      added = registration;
      if (isRemoved || this.isStopped) registration.remove();
      return registration;
    });
    let added: HandlerRegistration | undefined;
    adding.catch((cause: unknown) =>
      this.context.report(
        new InformerError({ code: 'ERR_HANDLER', message: `The handler ${name} cannot be added: ${errorOf(cause).message}`, cause }),
      ),
    );
    return {
      name,
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
  }

  isBusy(): boolean {
    return this.registry?.isBusy() === true;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.registry?.stop();
  }

  private async load(): Promise<whole.HandlerRegistry<T>> {
    const { HandlerRegistry: Whole } = await import('./consuming/handlerRegistry.js');
    return (this.registry ??= new Whole<T>(this.context));
  }
}
