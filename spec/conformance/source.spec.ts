import { describe, expect, it } from '@jest/globals';
import { asyncScheduler, concat, ignoreElements, interval, NEVER, of } from 'rxjs';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { customResource, type Resource } from '../../src/api/resource.js';
import type { ListerWatcher } from '../../src/api/listerWatcher.js';
import { namespacesSource } from '../../src/informer/createInformer.js';
import { listerWatcher } from '../../src/source/listerWatcher.js';
import { mergeSources } from '../../src/source/mergeSources.js';
import { recordSource } from '../../src/source/recording/recordSource.js';
import { reflect } from '../../src/source/reflector/reflect.js';
import type { ReflectOptions } from '../../src/source/reflector/reflectOptions.js';
import { replaySource } from '../../src/source/recording/replaySource.js';
import { sourceConformance } from '../../src/testing/suites/sourceConformance.js';
import type { SourceFactory } from '../../src/testing/suites/sourceConformanceCase.js';

const pods: Resource<KubernetesObject> = {
  ...customResource({ group: 'example.com', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }),
  group: '',
};

/** Runs the case through a client whose answers are those of the script. */
function overClient(script: ListerWatcher<KubernetesObject>): ListerWatcher<KubernetesObject> {
  const client = {
    listChunks: (_: unknown, request: object) => script.list(request),
    watch: (_: unknown, request: object) => script.watch(request),
  } as Parameters<typeof listerWatcher>[0];
  return listerWatcher(client, pods, { scope: script.scope, watchList: script.watchList });
}

/** The options of a source for one scope of all its scopes. */
function clockOf({ scheduler }: ReflectOptions): Pick<ReflectOptions, 'scheduler'> {
  return { scheduler };
}

const sources: [name: string, source: SourceFactory][] = [
  ['reflect', reflect],
  ['reflect with a trace', (script, options) => reflect(script, { ...options, trace: () => undefined })],
  ['namespacesSource', (script, options) => namespacesSource(concat(of(['any']), NEVER), () => reflect(script, options), new Set())],
  ['mergeSources', (script, options) => mergeSources([reflect(script, options)])],
  [
    'recordSource and replaySource',
    (script, options) => replaySource(reflect(script, options).pipe(recordSource(clockOf(options))), clockOf(options)),
  ],
  ['listerWatcher', (script, options) => reflect(overClient(script), options)],
];

describe.each(sources)('%s', (_, createSource) => {
  it.each(sourceConformance.map((testCase) => [testCase.name, testCase] as const))('%s', (__, testCase) => {
    expect(() => testCase.run(createSource)).not.toThrow();
  });
});

it('fails a source that goes on for ever, instead of going on with it', () => {
  const polls: SourceFactory = (_, { scheduler = asyncScheduler }) => interval(1_000_000, scheduler).pipe(ignoreElements());
  for (const testCase of sourceConformance) expect(() => testCase.run(polls)).toThrow();
});
