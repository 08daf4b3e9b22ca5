import { createClient, createInformer, customResource, resources, type Resource } from 'rx-informer';
import { trafficSide, type TrafficSideOptions } from '../traffic/trafficSide.js';

type Catalog = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Resource<object>>>>>>>;

function resourceOf({ apiVersion, kind, path }: TrafficSideOptions): Resource<object> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const plural = path.slice(path.lastIndexOf('/') + 1);
  const builtIn = (resources as unknown as Catalog)[group === '' ? 'core' : (group.split('.')[0] ?? '')]?.[version]?.[plural];
  return builtIn ?? customResource({ group, version, plural, kind, namespaced: true });
}

/** rx-informer's informer, with one subscriber and nothing else. */
export async function run(options: TrafficSideOptions): Promise<object> {
  const informer = createInformer(createClient({ server: options.url }), resourceOf(options), { onError: () => 'retry' });
  let seen: (object: object) => void = () => undefined;
  const figures = await trafficSide(
    options,
    (hello) => createClient({ server: hello }).list(resources.core.v1.pods),
    (listed) => {
      seen = listed;
      informer.resource$.subscribe({
        next: (event) => {
          if (event.type !== 'synced') seen(event.object);
        },
        error: (error: unknown) => {
          throw error;
        },
      });
      return informer.whenSynced();
    },
    (watched) => (seen = watched),
  );
  return { ...figures, count: informer.indexer.listKeys().length };
}
