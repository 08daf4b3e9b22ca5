import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { entries, houses } from '../../tools/houses.js';

/** The names that an entry exports one by one, types included. `export type *` is for the generated kinds. */
function namesOf(entry: string): string[] {
  const text = readFileSync(entries.find(({ name }) => name === entry)?.source ?? '', 'utf8');
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      .filter((name) => name !== ''),
  );
}

/** The report of `npm run api-report`: the exports of an entry, and the types that they mention without an export. */
function reportOf(name: string): { readonly exported: string; readonly hidden: string[] } {
  const text = readFileSync(fileURLToPath(new URL(`../../api/${name}.md`, import.meta.url)), 'utf8');
  const [exported = '', named = ''] = text.split('## Named by these, and not exported');
  return { exported, hidden: [...named.matchAll(/^(?:interface|type|class|const) (\w+)/gm)].map(([, type = '']) => type) };
}

/**
 * The types that signatures of the core mention and `pipeline` exports: the core has room for 100 names. A program that only calls the core never writes
 * these; one that wraps a call of the core may. A new option or result belongs into the core, or takes the place of one of these.
 */
const inPipeline = {
  'options and arguments, written as literals': [
    ...['ApiErrorInit', 'ConflateByKeyOptions', 'CustomResourceNames', 'DebounceByKeyOptions', 'DeleteOptions'],
    ...['EventsOptions', 'GetOptions', 'HandlerOptions', 'Impersonation', 'InformerErrorInit'],
    ...[
      'InformerFactoryOptions',
      'InformerSelection',
      'JsonPatchOperation',
      'KubeConfigLike',
      'LabelMap',
      'ListRequest',
      'ListerWatcherOptions',
      'LoginProvider',
    ],
    ...['MetadataInformerOptions', 'NamedObject', 'ObjectInformerOptions', 'ObjectName', 'PatchOptions', 'PermittedNamespacesOptions'],
    ...[
      'PodLogsOptions',
      'ProcessOptions',
      'ReadOptions',
      'ReadYourWritesPartOptions',
      'ReflectOptions',
      'ReplaceOptions',
      'RequestErrorInit',
      'RequestOptions',
      'ResyncOptions',
    ],
    ...['SelectionOptions', 'SendOptions', 'SourceInformerOptions', 'Syncable', 'Verb', 'VerificationOptions', 'VerifyOptions'],
    ...['WaitOptions', 'WaitUntilOptions', 'WarmStartOptions', 'WatchRequest', 'WriteOptions'],
  ],
  'callbacks, whose parameters have their types from where they stand': ['EventCondition', 'IndexFunc', 'ObjectsPredicate'],
  'results, whose types are inferred': [
    ...['BuiltInInformers', 'CacheSyncResult', 'Discovery', 'EventPair', 'ListChunk'],
    ...['NamespaceLister', 'Scale', 'StatusCause', 'StatusDetails', 'SubresourceClient', 'Verification', 'WatchChunk'],
  ],
  'parts of generic signatures': ['ChangeOrEvent', 'EventTypeOf', 'ObjectOf', 'OfType', 'WithConditions'],
  'parts of the pipeline': [
    ...[
      'CollectionPort',
      'DeletedFinalStateUnknown',
      'ExplicitKey',
      'Indexer',
      'InformerClient',
      'InformerControl',
      'InformerPart',
      'LeaveReason',
    ],
    ...['ListerWatcher', 'SourceEvent', 'PodCollection', 'SnapshotStore', 'collectionPort', 'listerWatcher'],
  ],
};

describe('the entries', () => {
  it.each(entries)('$name loads', async ({ name }) => {
    expect(await import(name)).toBeDefined();
  });

  it('has at most 100 names in the core, types counted', () => {
    expect(namesOf('rx-informer').length).toBeLessThanOrEqual(100);
  });

  it.each(houses)('export each name of %s from one entry', (house) => {
    const all = entries.filter((entry) => entry.house === house).flatMap(({ name }) => namesOf(name));
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });

  it('export every type that a signature of the core names, but for one that says nothing', () => {
    // It keeps TypeScript from inferring a type parameter at its place: `NoInfer`, which comes with TypeScript 5.4.
    expect(reportOf('rx-informer').hidden).toEqual(['NoInference']);
  });

  it('export from the core what its signatures name, with these exceptions', () => {
    const { exported } = reportOf('rx-informer');
    const elsewhere = namesOf('rx-informer/pipeline').filter((name) => new RegExp(`\\b${name}\\b`).test(exported));
    expect(elsewhere.sort()).toEqual(Object.values(inPipeline).flat().sort());
  });
});
