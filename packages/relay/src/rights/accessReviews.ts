import { catchError, defer, EMPTY, filter, forkJoin, map, merge, type Observable, type SchedulerLike } from 'rxjs';
import { type Collection, createInformer, type KubeClient, type KubernetesObject, type ResourceChange, resources } from 'rx-informer';
import { checkOptions, definedOf, expectArgument, rules } from 'rx-informer/internal';
import type { Authorizer, RelayAccess, RelayUser } from './authorizer.js';

/** Options of {@link accessReviews}. */
export interface AccessReviewsOptions {
  /**
   * Whether to watch roles and bindings, so that revoked permissions are noticed within seconds. Requires the permission to list and watch them. With `false`, each
   * permission is checked again every minute, or less often if there are more than 1,800.
   *
   * @defaultValue true
   */
  readonly watchRoles?: boolean | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

type Binding = KubernetesObject & {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
};

function reviewOf(
  client: Pick<KubeClient, 'create'>,
  user: RelayUser,
  { group, resource, namespace }: RelayAccess,
  verb: string,
): Observable<boolean> {
  const { name, uid, groups = [], extra = {} } = user;
  const resourceAttributes = { group, resource, verb, ...(namespace !== '' && { namespace }) };
  const spec = { ...definedOf({ user: name, uid, groups, extra }), resourceAttributes };
  return defer(() => client.create(resources.authorization.v1.subjectaccessreviews, { spec })).pipe(
    map(({ status }) => status?.allowed === true),
  );
}

/** Whether a binding concerns a user: a hint that only decides whose permissions to check again. */
function concerns({ subjects = [] }: Binding, { name, groups = [] }: RelayUser): boolean {
  return subjects.some(({ kind, name: subject, namespace = '' }) => {
    if (kind === 'Group') return groups.includes(subject);
    return kind === 'ServiceAccount' ? name === `system:serviceaccount:${namespace}:${subject}` : name === subject;
  });
}

/** The bindings that a change affects: changed ones, and those of changed roles. */
function bindingsOf(
  { events }: ResourceChange<Binding>,
  bindings: readonly Collection<Binding>[],
  roleKind: string | undefined,
): readonly Binding[] {
  return events.flatMap((event) => {
    const versions = event.type === 'updated' ? [event.object, event.oldObject] : [event.object];
    if (roleKind === undefined) return versions;
    const { name, namespace } = event.object.metadata ?? {};
    return bindings
      .flatMap((collection) => collection.lister.list())
      .filter(
        ({ roleRef, metadata }) =>
          roleRef?.kind === roleKind && roleRef.name === name && (roleKind === 'ClusterRole' || metadata?.namespace === namespace),
      );
  });
}

function hintsOf(client: KubeClient, scheduler: SchedulerLike | undefined): Observable<(user: RelayUser) => boolean> {
  return defer(() => {
    const { roles, clusterroles, rolebindings, clusterrolebindings } = resources.rbac.v1;
    const options = { scheduler, logger: { warn: () => undefined } };
    const bindings = [
      createInformer(client, rolebindings, options),
      createInformer(client, clusterrolebindings, options),
    ] as unknown as readonly Collection<Binding>[];
    const changes = (collection: Collection<Binding>, roleKind?: string): Observable<readonly Binding[]> =>
      collection.change$.pipe(
        // The initial content is no change.
        filter(({ cause }) => cause !== 'snapshot'),
        map((change) => bindingsOf(change, bindings, roleKind)),
        // Without permission to watch roles there are no hints; permissions are checked again when they expire.
        catchError(() => EMPTY),
      );
    return merge(
      ...bindings.map((collection) => changes(collection)),
      changes(createInformer(client, roles, options) as unknown as Collection<Binding>, 'Role'),
      changes(createInformer(client, clusterroles, options) as unknown as Collection<Binding>, 'ClusterRole'),
    ).pipe(
      filter((touched) => touched.length > 0),
      map((touched) => (user: RelayUser) => touched.some((binding) => concerns(binding, user))),
    );
  });
}

/**
 * Authorizes by SubjectAccessReviews: asks the API server for the permissions to list and to watch; access needs `allowed: true` for both.
 *
 * Roles and bindings are watched for hints: after a change, the permissions of affected users are checked again. A hint never decides by itself.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { accessReviews, createRelay } from '@rx-informer/relay';
 *
 * const client = createClient();
 * const { pods } = resources.core.v1;
 * const relay = createRelay({
 *   sources: { pods: { collection: createInformer(client, pods), resource: pods } },
 *   authenticate: ({ headers }) => (headers.get('x-forwarded-user') === null ? undefined : { name: headers.get('x-forwarded-user') ?? '' }),
 *   authorize: accessReviews(client),
 * });
 * console.log(relay.figures().streams);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function accessReviews(client: KubeClient, options: AccessReviewsOptions = {}): Authorizer {
  checkOptions('accessReviews', options, { watchRoles: rules.boolean, scheduler: rules.scheduler });
  expectArgument('accessReviews', 'client', client, rules.withMethods('create'));
  const { watchRoles = true, scheduler } = options;
  return {
    review: (user, access) =>
      forkJoin(['list', 'watch'].map((verb) => reviewOf(client, user, access, verb))).pipe(
        map((answers) => answers.every((allowed) => allowed)),
      ),
    ...(watchRoles && { changed$: hintsOf(client, scheduler) }),
  };
}
