/** Sources that are mutated together, and their specs. */
export interface Target {
  readonly name: string;
  /** Folders and files of src. */
  readonly sources: readonly string[];
  /** Folders and files of spec. */
  readonly specs: readonly string[];
  /** The number of mutants to draw; all when absent. */
  readonly sample?: number;
}

/** The targets: reflector, leader election, shards, applier and operators with all mutants, and samples of the other parts of the cache. */
export const targets: readonly Target[] = [
  {
    name: 'reflector',
    sources: ['source/reflector'],
    specs: ['source/reflector', 'source/pages'],
  },
  {
    name: 'leader',
    sources: ['controller/leader/electionStep.ts', 'controller/leader/leaseRecord.ts'],
    specs: ['controller/leader'],
  },
  {
    name: 'shards',
    sources: ['controller/shards/nextRecord.ts', 'controller/shards/shardRecord.ts', 'api/shardFilter.ts'],
    specs: ['controller/shards/nextRecord.spec.ts', 'api/shards'],
  },
  {
    name: 'applier',
    sources: ['delta/index', 'api/kubernetesObject.ts'],
    specs: ['delta', 'api/objectIdentity.spec.ts', 'api/compareResourceVersions.spec.ts'],
  },
  {
    name: 'operators',
    sources: ['operators'],
    specs: ['operators'],
  },
  {
    name: 'source',
    sources: ['source/listerWatcher.ts', 'source/mergeSources.ts', 'source/shardedSource.ts', 'source/pages', 'source/recording'],
    specs: [
      'source/listerWatcher.spec.ts',
      'source/mergeSources.spec.ts',
      'source/shardedSource.spec.ts',
      'source/pages',
      'source/recording',
      'conformance',
    ],
    sample: 150,
  },
  { name: 'delta', sources: ['delta/buffers', 'delta/fifo', 'delta/share'], specs: ['delta'], sample: 200 },
  { name: 'cache', sources: ['cache'], specs: ['cache', 'testing/suites'], sample: 200 },
  { name: 'decode', sources: ['client/decode'], specs: ['client/decode'], sample: 200 },
];
