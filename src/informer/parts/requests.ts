import { checkOptions, definedOf, type OptionRules } from '../../api/options.js';
import { listerWatcherRules } from '../../source/listerWatcher.js';
import { reflectRules } from '../../source/reflector/reflectOptions.js';
import { type InformerPart, refusing, type InformerRequestOptions } from './part.js';

const { tweakListOptions, watchList } = listerWatcherRules;
const { listSemantics, listTimeoutMs } = reflectRules;
const requestRules: OptionRules<InformerRequestOptions> = { tweakListOptions, watchList, listSemantics, listTimeoutMs };

/**
 * Changes how an informer requests lists and watches.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { requests } from 'rx-informer/pipeline';
 *
 * const recent = requests({ listSemantics: 'mostRecent', listTimeoutMs: 20_000 });
 * createInformer(createClient(), resources.core.v1.pods, { parts: [recent] }).start();
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function requests(options: InformerRequestOptions): InformerPart {
  checkOptions('requests', options, requestRules);
  const ofLister = ['tweakListOptions', 'watchList'].filter((name) => Object.hasOwn(options, name));
  return {
    part: 'requests',
    requests: definedOf(options),
    plug: ({ resource, origin, isSource }) => {
      const refuse = refusing('requests', resource);
      if (isSource) refuse('its source makes the requests');
      if (origin === undefined && ofLister.length > 0) refuse(`\`${ofLister[0]}\` is an option of its lister-watcher`);
      return {};
    },
  };
}

/** Requests the metadata of objects alone. @internal */
export const metadataRequests: InformerPart = { part: 'metadata', requests: { metadataOnly: true } };
