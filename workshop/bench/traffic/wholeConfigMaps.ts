import { between, hex, letters, oneOf, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

const fileNames = Array.from({ length: 60 }, (_, at) => `${letters(at, between(at, 4, 12))}.${oneOf(at, ['conf', 'json', 'yaml', 'txt'])}`);

const properties = (seed: number, lines: number): string =>
  Array.from(
    { length: lines },
    (_, at) => `${letters(seed + at, 4)}.${letters(seed + at * 3, 8)}=${hex(seed + at, between(seed + at, 4, 30))}`,
  ).join('\n');

const json = (seed: number, fields: number): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: fields }, (_, at) => [letters(seed + at, 7), { value: between(seed + at, 0, 99_999), unit: letters(seed, 3) }]),
    ),
    null,
    2,
  );

const yaml = (seed: number, lines: number): string =>
  Array.from(
    { length: lines },
    (_, at) => `${'  '.repeat(at % 4)}${letters(seed + at, 6)}: "${letters(seed * 3 + at, between(at + seed, 3, 24))}"\n`,
  ).join('');

/** Data of a few keys or many, with short values or long texts. */
function dataOf(seed: number): Record<string, string> {
  const many = between(seed, 1, 12);
  const entries = Array.from({ length: many }, (_, at): [string, string] => {
    const size = Math.ceil(between(seed + at * 7, 16, 46) / many);
    const write = oneOf(seed * 5 + at, [properties, json, yaml]);
    return [oneOf(seed + at * 11, fileNames), write(seed + at * 13, size)];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function configMap(at: number, version: number, resourceVersion: number): Json {
  const seed = at * 64 + version;
  const data = dataOf(seed);
  return {
    metadata: {
      name: `${oneOf(at, ['settings', 'dashboards', 'scripts', 'rules'])}-${letters(at, 6)}-${at}`,
      namespace: `namespace-${at % 40}`,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      creationTimestamp: time(at * 71),
      ...(at % 3 > 0 && { labels: { app: letters(at, 8), ...(at % 3 > 1 && { 'app.kubernetes.io/managed-by': 'Helm' }) } }),
      managedFields: [
        managed(
          'configurer',
          4_000_000 + version * 60,
          `data..,${Object.keys(data)
            .map((key) => `data.${key.replace('.', '_')}`)
            .join(',')}`,
        ),
      ],
    },
    data,
  };
}

/** Config maps of different shapes, in which every value changes. */
export const wholeConfigMaps: Traffic = {
  path: '/api/v1/configmaps',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  objects: 5_000,
  warmUp: 6_000,
  events: 16_000,
  target: 1.1,
  listTarget: 1.1,
  source: inTurn(configMap),
};
