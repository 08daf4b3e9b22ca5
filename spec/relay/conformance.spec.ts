import { describe, expect, it } from '@jest/globals';
import { finalize, Observable } from 'rxjs';
import type { VirtualTimeScheduler } from 'rxjs';
import { customResource } from '../../src/api/customResource.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { Collection } from '../../src/informer/collection.js';
import { type ServedSourceFactory, sourceConvergence } from '../../src/testing/suites/sourceConvergence.js';
import { Link, pageSource, relayCore } from './link.js';

const objects = customResource({ group: 'example.com', version: 'v1', plural: 'objects', kind: 'Object', namespaced: true });

/** A page, a relay and an informer: what the page's source tells is what the informer's server has. */
const throughRelay: ServedSourceFactory = (server, options) =>
  new Observable((subscriber) => {
    const scheduler = options.scheduler as VirtualTimeScheduler;
    const informer = createInformer(server, { ...options, logger: { warn: () => undefined } });
    const core = relayCore({ scheduler, sources: { objects: { collection: informer as Collection<unknown>, resource: objects } } });
    const page = pageSource(new Link(core, { authorization: 'ada' }), scheduler, { kind: 'objects', fields: 'all' });
    const stop = finalize<never>(() => {
      core.stop();
      void informer.stop();
    });
    return page.pipe(stop as never).subscribe(subscriber);
  });

describe('relaySource', () => {
  it.each(sourceConvergence.map((testCase) => [testCase.name, testCase] as const))('%s', (_, testCase) => {
    expect(() => testCase.run(throughRelay)).not.toThrow();
  });
});
