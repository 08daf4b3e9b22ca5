import { ApiError, isExpired, isNotFound, isTooManyRequests } from '../../api/errors/apiError.js';
import { parseFieldSelector, parseLabelSelector } from '../../api/selectors.js';
import type { KubernetesObject, UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resources } from '../../api/resources.js';
import type { KubeClient, SelectionOptions } from '../../client/kubeClient.js';
import { CliError, exitCodes } from '../cliError.js';
import { createClient } from '../../client/createClient.js';
import { createInformer } from '../../informer/createInformer.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';

/** The options for the server and the credentials. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

/** Works with a client for what the flags name, by kubectl's rules where they name nothing, and closes it in the end. */
export async function withClient<R>(
  { kubeconfig, context, server }: ConnectionFlags,
  work: (client: KubeClient) => Promise<R>,
): Promise<R> {
  const client = createClient(
    server === undefined
      ? { ...(kubeconfig !== undefined && { kubeConfigFile: kubeconfig }), ...(context !== undefined && { context }) }
      : { server },
  );
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** The flags that say which objects of a kind are meant, and on which server. */
export interface SelectionFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
}

/** Which objects are meant. */
export interface SelectedObjects {
  readonly resource: Resource<UnstructuredObject>;
  readonly allNamespaces: boolean;
  /** As informers and lister-watchers take them. */
  readonly options: SelectionOptions;
}

/** Checks the selectors among the flags, before any request is sent. Throws a CliError when one cannot be parsed. */
export function checkSelectors({ selector, fieldSelector }: SelectionFlags): void {
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

/** A namespace that does not exist lists as empty, so a mistyped one has to be looked up. Where the user may not read namespaces, the name is taken as it is. */
async function checkNamespace(client: KubeClient, namespace: string): Promise<void> {
  try {
    await client.get(resources.core.v1.namespaces, namespace);
  } catch (error) {
    if (isNotFound(error)) throw new CliError(`namespace ${JSON.stringify(namespace)} not found; expected an existing one, or -A for all`);
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Finds the resource of a name, and the namespace: throws a CliError when there is no such kind or namespace. */
export async function findSelection(client: KubeClient, name: string, flags: SelectionFlags): Promise<SelectedObjects> {
  const resource = await findResource(client, name);
  const allNamespaces = flags.allNamespaces === true || !resource.namespaced;
  const namespace = allNamespaces ? undefined : (flags.namespace ?? (await client.defaultNamespace()));
  if (namespace !== undefined) await checkNamespace(client, namespace);
  return { resource, allNamespaces, options: { namespace, labelSelector: flags.selector, fieldSelector: flags.fieldSelector } };
}

/** An informer for a person at a terminal: a first list that fails ends it, where a program would have it retried for ever. */
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
