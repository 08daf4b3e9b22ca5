import type { Observable } from 'rxjs';
import { ApiError } from '../api/errors/apiError.js';
import { isExpired, isTooManyRequests } from '../api/errors/apiErrorPredicates.js';
import type { InformerError } from '../api/errors/informerError.js';
import type { UnstructuredObject } from '../api/kubernetesObject.js';
import { createInformer } from '../informer/createInformer.js';
import type { SharedInformer } from '../informer/sharedInformer.js';
import { connect, type ConnectionFlags } from './connection.js';
import { checkSelectors, findSelection, type SelectionFlags } from './selection.js';
import { type OutputFormat, showInformer } from './showInformer.js';
import type { Terminal } from './terminal.js';

/**
 * The flags of `rx-informer watch`.
 */
export interface WatchFlags extends ConnectionFlags, SelectionFlags {
  readonly output: OutputFormat;
}

/** A first list that fails would be retried for ever, which helps a program but not a person at a terminal. */
function decide(hasSynced: () => boolean): (error: InformerError) => 'retry' | 'stop' {
  return (error) => {
    const passing =
      isTooManyRequests(error.cause) || isExpired(error.cause) || (error.cause instanceof ApiError && error.cause.code >= 500);
    return hasSynced() || passing || error.code === 'ERR_WATCH_LIST' ? 'retry' : 'stop';
  };
}

/**
 * `rx-informer watch`: shows the objects of one kind live until `end` emits.
 */
export async function watchCommand(name: string, flags: WatchFlags, terminal: Terminal, end: Observable<unknown>): Promise<void> {
  checkSelectors(flags);
  const client = connect(flags);
  try {
    const { resource, allNamespaces, options } = await findSelection(client, name, flags);
    const informer: SharedInformer<UnstructuredObject> = createInformer<UnstructuredObject>(client, resource, {
      ...options,
      onError: decide(() => informer.hasSynced()),
    });
    await showInformer(informer, { resource, allNamespaces }, flags.output, terminal, end);
  } finally {
    client.close();
  }
}
