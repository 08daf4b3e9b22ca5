import { apiErrorOfStatus } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import { isStatus, type Status } from '../../api/errors/status.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { WatchEvent } from '../../api/events/watchEvent.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';

type Change<T> = Extract<WatchEvent<T>, { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

const decimal = /^(0|[1-9]\d*)$/;

const changeTypes = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/** What a line of a watch means. @internal */
export const watchLine = {
  /**
   * Why an event cannot be used; `undefined` when it can.
   *
   * What is on the wire need not be what the types say. An object that does not say its kind is taken: sources made by hand leave it out.
   */
  problem(event: WatchEvent<unknown>, expected: ListerWatcher<unknown>['expected']): string | undefined {
    const { type, object } = event as { readonly type: string; readonly object: KubernetesObject | null | undefined };
    if (!(type in changeTypes) && type !== 'BOOKMARK') return `of unknown type ${JSON.stringify(type)}`;
    if (typeof object !== 'object' || object === null || typeof object.metadata !== 'object' || (object.metadata as unknown) === null) {
      return `${type} whose object has no metadata`;
    }
    if (expected === undefined || object.kind === undefined) return undefined;
    const { apiVersion = expected.apiVersion, kind } = object;
    if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined;
    return `${type} with a ${apiVersion} ${kind} instead of a ${expected.apiVersion} ${expected.kind}`;
  },

  /** Whether a version is below another one. Versions that are no numbers do not tell. */
  hasGoneBack(current: string, last: string): boolean {
    // Most of the time, and always on the way of a watch event, two comparisons say no.
    if (current.length > last.length || (current.length === last.length && current >= last)) return false;
    return decimal.test(current) && decimal.test(last);
  },

  /** The error that an ERROR event stands for. A Status made by hand may leave its kind out. */
  error(object: unknown): Error {
    if (isStatus(object)) return apiErrorOfStatus(object);
    const status = (object ?? {}) as Status;
    if (status.kind === undefined && status.code !== undefined) return apiErrorOfStatus(status);
    return new InformerError({ code: 'ERR_WATCH', message: 'an ERROR event came without a Status' });
  },

  /** The change as the subscriber is told. */
  told<T>({ type, object }: Change<T>, scope: string | undefined, resourceVersion: string): SourceEvent<T> {
    return scope === undefined || scope === ''
      ? { type: changeTypes[type], object, resourceVersion }
      : { type: changeTypes[type], scope, object, resourceVersion };
  },
};
