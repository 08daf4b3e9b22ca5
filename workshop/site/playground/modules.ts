// eslint-disable-next-line no-restricted-imports -- a reader's program may import whatever RxJS has
import * as rxjs from 'rxjs';
import * as core from 'rx-informer';
import * as pipeline from 'rx-informer/pipeline';
import { configMap, deployment, FakeListerWatcher, objectOf, pod } from 'rx-informer/testing';
import * as views from '@rx-informer/views';

/** The modules that a snippet may import. */
export const modules: Readonly<Record<string, object>> = {
  rxjs,
  'rx-informer': core,
  'rx-informer/pipeline': pipeline,
  '@rx-informer/views': views,
  'rx-informer/testing': { FakeListerWatcher, configMap, deployment, objectOf, pod },
};
