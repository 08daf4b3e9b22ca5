import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  finalize,
  forkJoin,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  repeat,
  type SchedulerLike,
  switchMap,
  timer,
  toArray,
} from 'rxjs';
import { isEqualJson } from '../api/isEqualJson.js';
import { checkOptions, rules } from '../api/options.js';
import { type Figures, registry } from '../api/running.js';
import { expectResource, type Resource, resourceName } from '../api/resource.js';
import { resources } from '../api/resources.js';
import type { KubeClient } from './kubeClient.js';
import { schedulerOf } from '../rx/schedulerOf.js';

/** Options of {@link permittedNamespaces}. */
export interface PermittedNamespacesOptions {
  /** The namespaces to check. @defaultValue all namespaces, which requires the permission to list namespaces */
  readonly candidates?: readonly string[] | undefined;
  /** The time from one round of checks to the next, in milliseconds; at least 1,000. @defaultValue 60000 */
  readonly periodMs?: number | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** The figures of permission checks. */
export interface RightsFigures extends Figures {
  readonly kind: 'rights';
  readonly permitted: number;
  readonly refused: readonly string[];
}

/** The number of concurrent checks. */
const atOnce = 10;

type Client = Pick<KubeClient, 'create' | 'list'>;
type Informed = Resource<unknown, 'list' | 'watch'>;

/** Whether the client's user may list and watch a resource in a namespace, or in all of them. */
function mayFollow(client: Client, { group, plural }: Informed, namespace: string): Observable<boolean> {
  const answers = ['list', 'watch'].map((verb) => {
    const resourceAttributes = { group, resource: plural, verb, ...(namespace !== '' && { namespace }) };
    return client.create(resources.authorization.v1.selfsubjectaccessreviews, { spec: { resourceAttributes } });
  });
  return forkJoin(answers).pipe(map((reviews) => reviews.every(({ status }) => status?.allowed === true)));
}

/** The result of a round of checks: `['']` is permitted if all namespaces are. */
interface Rights {
  readonly permitted: readonly string[];
  readonly refused: readonly string[];
}

const noRights: Rights = { permitted: [], refused: [] };

/** One round of checks. */
function rightsOf(client: Client, resource: Informed, candidates: readonly string[] | undefined): Observable<Rights> {
  const may = (namespace: string) => defer(() => mayFollow(client, resource, namespace));
  const known =
    candidates === undefined
      ? defer(() => client.list(resources.core.v1.namespaces)).pipe(map(({ items }) => items.map(({ metadata }) => metadata?.name ?? '')))
      : of(candidates);
  const each = known.pipe(
    mergeMap((names) => from(names)),
    mergeMap((name) => may(name).pipe(map((allowed) => ({ name, allowed }))), atOnce),
    toArray(),
    map((found) => {
      const namesOf = (isAllowed: boolean): string[] => found.flatMap(({ name, allowed }) => (allowed === isAllowed ? [name] : [])).sort();
      return { permitted: namesOf(true), refused: namesOf(false) };
    }),
  );
  return may('').pipe(switchMap((all) => (all ? of({ permitted: [''], refused: [] }) : each)));
}

/**
 * Emits the namespaces in which the client's user may list and watch a resource: for an informer's `namespace` option, when listing all namespaces is forbidden.
 *
 * ```text
 * rights   all: no   web: yes   db: no        db: granted          all: granted
 * result   (web)                              (db web)             ('')
 * ```
 *
 * - It sends SelfSubjectAccessReviews, first for all namespaces, and repeats them every `periodMs`: granted namespaces are added, revoked ones removed.
 * - A failed round changes nothing. If the first one fails, an empty list is emitted, so that an informer does not wait forever.
 * - It never completes and never fails.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, permittedNamespaces, resources } from 'rx-informer';
 *
 * const client = createClient();
 * const { pods } = resources.core.v1;
 * const mine = createInformer(client, pods, { namespace: permittedNamespaces(client, pods) });
 * mine.index$.subscribe((index) => console.log(index.size));
 * ```
 *
 * @throws TypeError when the resource has no namespaces, or an option is wrong.
 */
export function permittedNamespaces(
  client: Pick<KubeClient, 'create' | 'list'>,
  resource: Resource<unknown, 'list' | 'watch'>,
  options: PermittedNamespacesOptions = {},
): Observable<readonly string[]> {
  checkOptions('permittedNamespaces', options, {
    candidates: rules.listOf(rules.nonEmptyString, 'names'),
    periodMs: rules.durationOf({ min: 1_000 }),
    scheduler: rules.scheduler,
  });
  expectResource(resource);
  if (!resource.namespaced) throw new TypeError(`Expected \`resource\` to be one that has namespaces, got ${resourceName(resource)}`);
  const { candidates, periodMs = 60_000 } = options;
  const scheduler = schedulerOf(options.scheduler);
  return defer(() => {
    let last: Rights | undefined;
    const running = {
      figures: (): RightsFigures => {
        const { permitted, refused } = last ?? noRights;
        // Being refused in some of all namespaces is normal, and not reported.
        const isNormal = candidates === undefined && permitted.length > 0;
        return {
          ...{ kind: 'rights', name: resourceName(resource), at: scheduler.now(), permitted: permitted.length },
          refused: isNormal ? [] : refused,
        };
      },
    };
    const round = defer(() => rightsOf(client, resource, candidates)).pipe(
      catchError(() => (last === undefined ? of(noRights) : EMPTY)),
      map((rights) => {
        last = rights;
        return rights.permitted;
      }),
    );
    return round.pipe(
      repeat({ delay: () => timer(periodMs, scheduler) }),
      distinctUntilChanged<readonly string[]>(isEqualJson),
      finalize(registry().register(running)),
    );
  });
}
