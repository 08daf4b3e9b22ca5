import { listVersion, type Json, type Traffic } from './traffic.js';

const itemsPerPage = 500;

/** Traffic as it is sent. */
export interface SerializedTraffic {
  readonly listKind: string;
  readonly apiVersion: string;
  /** The items of each page, separated by commas. */
  readonly pages: readonly Buffer[];
  /** The lines of the watch. */
  readonly lines: readonly Buffer[];
}

const typed = ({ kind, apiVersion }: Traffic, object: Json): Json => ('kind' in object ? object : { kind, apiVersion, ...object });

/**
 * Serializes the list and all events.
 */
export function serialized(traffic: Traffic): SerializedTraffic {
  const { apiVersion, kind, objects, warmUp, events } = traffic;
  const source = traffic.source(objects);
  const items = source.objects.map((object) => JSON.stringify(object));
  const pages = Array.from({ length: Math.ceil(items.length / itemsPerPage) }, (_, page) =>
    Buffer.from(items.slice(page * itemsPerPage, (page + 1) * itemsPerPage).join(',')),
  );
  const lines = Array.from({ length: warmUp + events }, (_, at) => {
    const { type, object } = source.next(listVersion + 1 + at);
    return Buffer.from(`{"type":"${type}","object":${JSON.stringify(typed(traffic, object))}}\n`);
  });
  return { listKind: `${kind}List`, apiVersion, pages, lines };
}
