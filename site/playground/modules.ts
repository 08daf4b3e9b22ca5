// eslint-disable-next-line no-restricted-imports -- a reader's program may import whatever RxJS has
import * as rxjs from 'rxjs';
import * as core from '../../src/index.js';
import * as pipeline from '../../src/pipeline.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { configMap, deployment, pod } from '../../src/testing/fakes/fixtures.js';
import { objectOf } from '../../src/testing/fakes/objectOf.js';
import * as views from '../../src/views/index.js';

/** The modules that a snippet may import. */
export const modules: Readonly<Record<string, object>> = {
  rxjs,
  'rx-informer': core,
  'rx-informer/pipeline': pipeline,
  'rx-informer/views': views,
  'rx-informer/testing': { FakeListerWatcher, configMap, deployment, objectOf, pod },
};
