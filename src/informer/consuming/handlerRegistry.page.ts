import { errorOf, InformerError } from '../../api/errors/informerError.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from '../consumers.js';
import type { InformerContext } from '../session/informerContext.js';
import type * as whole from './handlerRegistry.js';

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
    const { HandlerRegistry: Whole } = await import('./handlerRegistry.js');
    return (this.registry ??= new Whole<T>(this.context));
  }
}
