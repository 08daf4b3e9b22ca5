import { delay, type Observable, Subscription } from 'rxjs';
import {
  ApiError,
  createClient,
  createInformer,
  isExpired,
  isNotFound,
  type KubeClient,
  type KubernetesObject,
  type Resource,
  resources,
  type SharedInformer,
  type UnstructuredObject,
} from 'rx-informer';
import { isTooManyRequests, monotonicScheduler, parseFieldSelector, type SelectionOptions } from 'rx-informer/internal';
import { parseLabelSelector } from 'rx-informer/pipeline';
import { CliError, EndedError, exitCodes } from '../cliError.js';

/** The options for the server and the credentials. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

/** How long a command may take to end by itself. */
const endMs = 500;

/**
 * Calls a function with a client for the cluster that the flags name, by default the one that kubectl would use, and closes the client
 * afterwards, or soon after `end$` emits: the server may not answer.
 */
export async function withClient<R>(
  { kubeconfig, context, server }: ConnectionFlags,
  end$: Observable<unknown>,
  work: (client: KubeClient) => Promise<R>,
): Promise<R> {
  const client = createClient(
    server === undefined
      ? { ...(kubeconfig !== undefined && { kubeConfigFile: kubeconfig }), ...(context !== undefined && { context }) }
      : { server },
  );
  const open = new Subscription(() => client.close());
  const ending = end$.pipe(delay(endMs, monotonicScheduler)).subscribe({ next: () => open.unsubscribe(), error: () => undefined });
  try {
    return await work(client);
  } catch (error) {
    throw open.closed ? new EndedError() : error;
  } finally {
    ending.unsubscribe();
    open.unsubscribe();
  }
}

/** The flags that select objects of a kind, and the server. */
export interface SelectionFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
}

/** The selected objects. */
export interface SelectedObjects {
  readonly resource: Resource<UnstructuredObject>;
  readonly allNamespaces: boolean;
  /** The options for informers and lister-watchers. */
  readonly options: SelectionOptions;
}

/** Throws a CliError when a selector among the flags cannot be parsed. */
function checkSelectors({ selector, fieldSelector }: SelectionFlags): void {
  try {
    if (selector !== undefined) parseLabelSelector(selector);
    if (fieldSelector !== undefined) parseFieldSelector(fieldSelector);
  } catch (error) {
    throw new CliError((error as Error).message, exitCodes.usage);
  }
}

async function findResource(client: KubeClient, name: string): Promise<Resource<UnstructuredObject>> {
  try {
    return await client.discovery.find(name);
  } catch (error) {
    throw error instanceof TypeError ? new CliError(error.message, exitCodes.usage) : error;
  }
}

/**
 * A missing namespace has empty lists, so the namespace is looked up to find misspelt names. If the user may not read namespaces, the name
 * is not checked.
 */
async function checkNamespace(client: KubeClient, namespace: string): Promise<void> {
  try {
    await client.get(resources.core.v1.namespaces, namespace);
  } catch (error) {
    if (isNotFound(error)) throw new CliError(`namespace ${JSON.stringify(namespace)} not found; expected an existing one, or -A for all`);
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Checks the selectors, and then finds the resource of a name, and the namespace. Throws a CliError when any of these is wrong. */
export async function findSelection(client: KubeClient, name: string, flags: SelectionFlags): Promise<SelectedObjects> {
  checkSelectors(flags);
  const resource = await findResource(client, name);
  const allNamespaces = flags.allNamespaces === true || !resource.namespaced;
  const { namespace: given = '' } = flags;
  const namespace = allNamespaces ? undefined : given === '' ? await client.defaultNamespace() : given;
  if (namespace !== undefined) await checkNamespace(client, namespace);
  return { resource, allNamespaces, options: { namespace, labelSelector: flags.selector, fieldSelector: flags.fieldSelector } };
}

/** An informer for a person at a terminal: it ends when the first list fails, instead of retrying forever. */
export function informerOf<T extends KubernetesObject = UnstructuredObject>(
  client: KubeClient,
  { resource, options }: { readonly resource: Resource<T, 'list' | 'watch'>; readonly options: SelectionOptions },
): SharedInformer<T> {
  const informer: SharedInformer<T> = createInformer<T>(client, resource, {
    ...options,
    onError: ({ code, cause }) => {
      const passing = isTooManyRequests(cause) || isExpired(cause) || (cause instanceof ApiError && cause.code >= 500);
      return informer.hasSynced() || passing || code === 'ERR_WATCH_LIST' ? 'retry' : 'stop';
    },
  });
  return informer;
}
