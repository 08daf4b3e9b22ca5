import { concat, defer, from, map, NEVER, type Observable, type ObservableInput, of } from 'rxjs';
import { type KubernetesList, type KubernetesObject, resourceVersionOf } from '../../api/kubernetesObject.js';
import type { ListerWatcher, ListRequest } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events.js';
import { checkOptions, definedOf, type OptionRules, rules } from '../../api/options.js';
import { type ReflectOptions, reflectRules, reflectSettings } from '../reflector/reflectOptions.js';
import { reflectWith, tracingOf } from '../reflector/reflect.js';

/** Options of {@link pollSource}: the period, and how lists and their failures are handled. */
export interface PollSourceOptions
  extends
    Pick<ReflectOptions, 'backoff' | 'listTimeoutMs' | 'onError' | 'pageSize' | 'random' | 'scheduler' | 'trace'>,
    Pick<ListerWatcher<unknown>, 'resource' | 'scope'> {
  /** The time from a complete list to the start of the next one, in milliseconds; at least 1. */
  readonly periodMs: number;
}

const { backoff, listTimeoutMs, onError, pageSize, random, scheduler, trace } = reflectRules;
const optionRules: OptionRules<PollSourceOptions> = {
  periodMs: rules.required(rules.durationOf({ min: 1 })),
  resource: rules.string,
  scope: rules.string,
  ...{ backoff, listTimeoutMs, onError, pageSize, random, scheduler, trace },
};

function polled<T extends KubernetesObject>(
  list: (request: ListRequest) => ObservableInput<KubernetesList<T>>,
  { resource, scope }: PollSourceOptions,
): ListerWatcher<T> {
  let lists = 0;
  return {
    ...definedOf({ resource, scope }),
    watchList: false,
    list: (request) =>
      defer(() => from(list(request))).pipe(
        map((answer) => {
          if (resourceVersionOf(answer) !== undefined) return answer;
          lists += 1;
          return { ...answer, metadata: { ...answer.metadata, resourceVersion: String(lists) } };
        }),
      ),
    // A watch that stays open without events: the next list follows after the period.
    watch: () => concat(of([]), NEVER),
  };
}

/**
 * Makes a source from lists alone, for servers that cannot watch.
 *
 * ```text
 * list     (ab)|          (a'b)|         # 503      (a'b)|
 * result   i-p--r         i-p---r        i-s-       i-p---r
 * cache         +a +b           ~a                               i: init, p: page, r: ready, s: status with the error
 * ```
 *
 * - Each list replaces the last one in one step, so readers and subscribers never see a partial one. An informer or `scanToIndex` compares it with
 *   the cache and emits the differences as `added`, `updated` and `deleted` with `inferred: true`, then `synced`.
 * - Changes that are undone between two lists are not seen.
 * - A list that fails is a `status` notification and is repeated with backoff, as in `reflect`. The source never completes, and fails only when
 *   `onError` returned `'stop'`.
 * - Lists and objects need no resourceVersion: an object without one counts as changed when its content has.
 *
 * @example
 * ```ts
 * import { createInformer, type KubernetesList, type KubernetesObject } from 'rx-informer';
 * import { pollSource } from 'rx-informer/pipeline';
 *
 * const url = 'https://metrics.example/apis/metrics.k8s.io/v1beta1/pods';
 * const list = async (): Promise<KubernetesList<KubernetesObject>> => (await (await fetch(url)).json()) as KubernetesList<KubernetesObject>;
 * const usage = createInformer(pollSource(list, { periodMs: 30_000 }));
 * usage.resource$.subscribe((event) => console.log(event.type));
 * ```
 *
 * @param list - Requests a list, or one page of it: gets the limit and the token of the page before.
 * @throws TypeError when an option is wrong.
 */
export function pollSource<T extends KubernetesObject>(
  list: (request: ListRequest) => ObservableInput<KubernetesList<T>>,
  options: PollSourceOptions,
): Observable<SourceEvent<T>> {
  if (typeof list !== 'function') throw new TypeError(`Expected \`list\` to be a function, got ${typeof list}`);
  checkOptions('pollSource', options, optionRules);
  const { periodMs, resource: _resource, scope: _scope, ...others } = options;
  const settings = {
    ...reflectSettings({ ...others, listStrategy: 'list', listSemantics: 'mostRecent', relistPeriodMs: periodMs }, 'pollSource'),
    // Without a watch, the next list replaces it, and a list that succeeded is the only proof of health.
    relistBesideWatch: false,
    idleTimeoutMs: Infinity,
    healthyWatchMs: 0,
  };
  return defer(() => reflectWith(polled(list, options), settings, { tracing: tracingOf(settings) }));
}
