import { getLines } from '../getBytes.js';
import { trafficSide, type TrafficSideOptions } from '../traffic/trafficSide.js';

interface Named {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

const keyOf = ({ metadata: { namespace = '', name } }: Named): string => `${namespace}/${name}`;

/** The lower bound: a list is fetched in one body and parsed, each line of a watch is parsed, and a Map holds the objects. */
export async function run(options: TrafficSideOptions): Promise<object> {
  const objects = new Map<string, Named>();
  const url = options.url + options.path;
  let bytes = 0;
  const figures = await trafficSide(
    options,
    async (hello) => (await fetch(`${hello}/api/v1/pods`)).json(),
    async (seen) => {
      const { items } = JSON.parse(await (await fetch(url)).text()) as { readonly items: readonly Named[] };
      for (const item of items) {
        objects.set(keyOf(item), item);
        seen(item);
      }
    },
    (seen) => {
      getLines(`${url}?watch=true`, (line) => {
        bytes += line.length;
        const { type, object } = JSON.parse(line.toString('utf8')) as { readonly type: string; readonly object: Named };
        if (type === 'DELETED') objects.delete(keyOf(object));
        else objects.set(keyOf(object), object);
        seen(object);
      });
    },
  );
  return { ...figures, bytes: bytes / (options.warmUp + options.events), count: objects.size };
}
