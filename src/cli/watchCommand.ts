import { asyncScheduler, finalize, type Observable, takeUntil } from 'rxjs';
import { isExpired, isNotFound, isTooManyRequests } from '../api/apiErrorPredicates.js';
import type { InformerHealth } from '../api/informerHealth.js';
import type { InformerError } from '../api/informerError.js';
import { ApiError } from '../api/apiError.js';
import type { UnstructuredObject } from '../api/kubernetesObject.js';
import { parseFieldSelector } from '../api/fieldSelector.js';
import { parseLabelSelector } from '../api/parseLabelSelector.js';
import type { Resource } from '../api/resource.js';
import { resources } from '../api/resources.js';
import type { KubeClient } from '../client/kubeClient.js';
import { createInformer } from '../informer/createInformer.js';
import type { SharedInformer } from '../informer/sharedInformer.js';
import { CliError, exitCodes } from './cliError.js';
import { connect, type ConnectionFlags } from './connection.js';
import { lineView } from './lineView.js';
import { liveTable } from './liveTable.js';
import { objectFormats } from './objectFormats.js';
import { growingTable } from './tableFormat.js';
import type { Terminal } from './terminal.js';
import type { WatchSubject, WatchView } from './watchView.js';

/**
 * The values of `-o`.
 */
export const outputFormats = ['table', 'json', 'yaml', 'name', 'events'] as const;

/**
 * The flags of `rx-informer watch`.
 */
export interface WatchFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly output: (typeof outputFormats)[number];
}

function checkSelectors({ selector, fieldSelector }: WatchFlags): void {
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

/** A namespace that does not exist lists as empty, so a mistyped one has to be looked up; whoever may not look is believed. */
async function checkNamespace(client: KubeClient, namespace: string): Promise<void> {
  try {
    await client.get(resources.core.v1.namespaces, namespace);
  } catch (error) {
    if (isNotFound(error)) throw new CliError(`namespace ${JSON.stringify(namespace)} not found; expected an existing one, or -A for all`);
    if (!(error instanceof ApiError)) throw error;
  }
}

/** A first list that fails would be retried for ever, which helps a program but not a person at a terminal. */
function decide(hasSynced: () => boolean): (error: InformerError) => 'retry' | 'stop' {
  return (error) => {
    const passing =
      isTooManyRequests(error.cause) || isExpired(error.cause) || (error.cause instanceof ApiError && error.cause.code >= 500);
    return hasSynced() || passing || error.code === 'ERR_WATCH_LIST' ? 'retry' : 'stop';
  };
}

function viewOf(terminal: Terminal, subject: WatchSubject, output: WatchFlags['output'], health: () => InformerHealth): WatchView {
  const scheduler = asyncScheduler;
  if (output !== 'table') return lineView(terminal, subject, objectFormats[output]);
  if (terminal.stdout.isTTY === true) return liveTable(terminal, subject, health, scheduler);
  return lineView(
    terminal,
    subject,
    growingTable(() => scheduler.now()),
  );
}

/** The error of an informer that ends comes through its events. */
const ignore = (): void => undefined;

/** Shows the informer's events until `end`, or until the informer ends; then the terminal is left in order. */
async function show(informer: SharedInformer<UnstructuredObject>, view: WatchView, end: Observable<unknown>): Promise<void> {
  const health = informer.health$.subscribe({
    next: (state) => {
      view.health(state);
    },
    error: ignore,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      informer.resource$
        .pipe(
          takeUntil(end),
          finalize(() => {
            health.unsubscribe();
          }),
        )
        .subscribe({
          next: (event) => {
            view.event(event);
          },
          complete: resolve,
          error: reject,
        });
    });
  } finally {
    view.close();
    await informer.stop();
  }
}

/**
 * `rx-informer watch`: shows the objects of one kind live until `end` emits.
 */
export async function watchCommand(name: string, flags: WatchFlags, terminal: Terminal, end: Observable<unknown>): Promise<void> {
  checkSelectors(flags);
  const client = connect(flags);
  try {
    const resource = await findResource(client, name);
    const allNamespaces = flags.allNamespaces === true || !resource.namespaced;
    const namespace = allNamespaces ? undefined : (flags.namespace ?? (await client.defaultNamespace()));
    if (namespace !== undefined) await checkNamespace(client, namespace);
    const informer: SharedInformer<UnstructuredObject> = createInformer<UnstructuredObject>(client, resource, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
      ...(flags.fieldSelector === undefined ? {} : { fieldSelector: flags.fieldSelector }),
      onError: decide(() => informer.hasSynced()),
    });
    await show(
      informer,
      viewOf(terminal, { resource, allNamespaces }, flags.output, () => informer.health()),
      end,
    );
  } finally {
    client.close();
  }
}
