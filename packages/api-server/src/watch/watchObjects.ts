import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { checkListOptions } from '../read/listOptions.js';
import { offersForm, representationOf } from '../read/representations.js';
import { reached } from '../read/resourceVersions.js';
import { selectionOf } from '../read/selection.js';
import { shardOf } from '../read/shardSelection.js';
import { expired, tooLargeResourceVersion } from '../status/statusErrors.js';
import { checkWatchOptions, watchOptionsOf } from './watchOptions.js';
import { WatchSession } from './watchSession.js';

/**
 * Handles a WATCH. An invalid request gets an ordinary error; later failures are ERROR events.
 */
export async function watchObjects(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { store, watches, hooks } = cluster;
  const { parameters } = exchange;
  const offered = { streams: true, custom: target.resource.custom !== undefined, converts: offersForm };
  exchange.negotiate({ ...offered, yaml: true });
  // The prefix of the path makes a watch of what is a list by its parameters.
  const check = parameters.flag('watch') ? checkWatchOptions : checkListOptions;
  const selection = shardOf(
    selectionOf(target, parameters, () => check(cluster, parameters)),
    parameters,
    cluster.shardedListAndWatch,
  );
  exchange.negotiate({ ...offered, yaml: false });
  const representation = representationOf(target.resource, exchange, 'watch');
  const options = watchOptionsOf(cluster, exchange.parameters);
  const opened = exchange.openWatch(options.marker);
  const sink = hooks.wrapWatch?.(exchange, opened) ?? opened;
  // A list cannot be the object of an event.
  if (exchange.form.as?.kind === 'PartialObjectMetadataList') {
    sink.end();
    return;
  }
  const version = options.resourceVersion ?? 0;
  const inTime = !options.marker || (await reached(cluster, version));
  const bucket = store.bucket(target.resource.bucketId);
  const state = options.resourceVersion === 0 ? hooks.staleState?.(exchange) : undefined;
  const session = new WatchSession(cluster, {
    bucket,
    selection,
    representation,
    options,
    state,
    sink,
    onEnd: () => watches.remove(session),
  });
  watches.add(session);
  if (!inTime) session.fail(tooLargeResourceVersion(version, store.resourceVersion));
  else if (version > 0 && !options.initialEvents && version < bucket.watchFloor) {
    session.fail(expired(`too old resource version: ${String(version)} (${String(bucket.watchFloor)})`));
  } else await session.start();
}
