import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { objectOf } from './answer.js';
import { expectWhole } from './expectWhole.js';
import type { GetOptions, PatchOptions, PatchType, ReplaceOptions, Scale, SubresourceClient } from '../kubeClient.js';
import { patchBody } from './patchBody.js';
import { query, writeQuery } from './query.js';
import type { Requester } from './requester.js';
import { targetOfName, targetOfObject, typed, typeOf } from './target.js';
import type { Writer } from './writer.js';

type AnyResource = Resource<KubernetesObject, never>;

const scaleType = { apiVersion: 'autoscaling/v1', kind: 'Scale' };

/**
 * The part of a client that reads and changes objects, whole or one of their subresources.
 */
export function objectRequests<S extends Scale | undefined>(
  requester: Requester,
  writer: Writer,
  subresource?: 'status' | 'scale',
): SubresourceClient<S> {
  type Read<T> = S extends undefined ? T : S;
  const typeIn = (resource: AnyResource) => (subresource === 'scale' ? scaleType : typeOf(resource));
  /** What a write to `scale` is answered with is not the object. */
  const written = (answer: unknown) => ({
    ...(subresource !== undefined && { subresource }),
    ...(subresource !== 'scale' && { object: answer as KubernetesObject }),
  });

  return {
    async get<T extends KubernetesObject>(resource: Resource<T, 'get'>, name: string, options: GetOptions = {}): Promise<Read<T>> {
      const { path } = targetOfName(resource, name, options, subresource);
      const answer = await requester.ask({ method: 'GET', path: path + query({ resourceVersion: options.resourceVersion }) }, options);
      return objectOf(answer, `GET ${path}`) as Read<T>;
    },

    async replace<T extends KubernetesObject>(
      resource: Resource<T, 'update'>,
      object: Read<T>,
      options: ReplaceOptions = {},
    ): Promise<Read<T>> {
      const { path, ...place } = targetOfObject(resource, object, options, subresource);
      expectWhole(resource, place, object, options);
      const body = JSON.stringify(typed<KubernetesObject>(object, typeIn(resource)));
      const answer = await writer.send<Read<T>>({ method: 'PUT', path: path + writeQuery(options), body }, options);
      writer.tell({ verb: 'replace', resource, ...place, ...written(answer) }, options);
      return answer;
    },

    async patch<T extends KubernetesObject>(
      resource: Resource<T, 'patch'>,
      name: string,
      type: PatchType,
      patch: unknown,
      options: PatchOptions = {},
    ): Promise<Read<T>> {
      const { path, ...place } = targetOfName(resource, name, options, subresource);
      const sent = patchBody(type, patch, options, { ...typeIn(resource), name });
      const answer = await writer.send<Read<T>>({ method: 'PATCH', path: path + writeQuery(options), ...sent }, options);
      writer.tell({ verb: 'patch', resource, ...place, ...written(answer) }, options);
      return answer;
    },
  };
}
