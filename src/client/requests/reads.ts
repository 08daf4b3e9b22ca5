import { reduce, throwError, timeout } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import type { KubernetesList, KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resourceName } from '../../api/resourceName.js';
import { jsonOf, type Answer } from './answer.js';
import type { KubeClient, ListOptions } from '../kubeClient.js';
import { RequestError } from './requestError.js';
import { requestName } from './requestName.js';
import type { Requester } from './requester.js';
import { listChunks } from './streams.js';

type Reads = Pick<KubeClient, 'list' | 'getPath'>;

/** A connection that has gone silent must not keep a list waiting for ever. */
function silent(resource: Resource<KubernetesObject, never>) {
  const message = `Listing ${resourceName(resource)} failed: nothing came for ${defaults.listTimeoutMs} ms`;
  return throwError(() => new RequestError({ code: 'ERR_TIMEOUT', message }));
}

function collect<T>(lists: KubernetesList<T>, chunk: KubernetesList<T>): KubernetesList<T> {
  // One array grows, instead of a new one for each chunk.
  for (const item of chunk.items) (lists.items as T[]).push(item);
  return { ...lists, ...chunk, items: lists.items };
}

function textOrJson(answer: Answer, request: string): unknown {
  const text = answer.headers['content-type']?.startsWith('text/plain') === true;
  return text ? new TextDecoder().decode(answer.body) : jsonOf(answer, request);
}

/** The part of a client that reads and answers with promises. */
export function reads(requester: Requester): Reads {
  return {
    list: async <T extends KubernetesObject>(resource: Resource<T, 'list'>, options: ListOptions = {}) => {
      const send = (remainingMs: number) =>
        listChunks(requester, resource, { ...options, managedFields: 'keep' }, remainingMs).pipe(
          timeout({ each: defaults.listTimeoutMs, with: () => silent(resource) }),
          reduce(collect<T>, { items: [] }),
        );
      return requester.run(send, options.timeoutMs ?? 0, options.signal);
    },

    getPath: async (path, options) => {
      if (typeof path !== 'string' || !path.startsWith('/'))
        throw new TypeError(`Expected \`path\` to begin with "/", got ${JSON.stringify(path)}`);
      return textOrJson(await requester.ask({ method: 'GET', path }, options), requestName({ method: 'GET', path }));
    },
  };
}
