import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { expectWhole } from './expectWhole.js';
import type { KubeClient, PatchOptions, PatchType, ReplaceOptions, WriteOptions } from '../kubeClient.js';
import { patchBody } from './patchBody.js';
import { writeQuery } from './query.js';
import { creationPath, placeOf, targetOfName, targetOfObject, typed, typeOf } from './target.js';
import type { Writer } from './writer.js';

/**
 * The part of a client that creates and changes objects.
 */
export function writes(writer: Writer): Pick<KubeClient, 'create' | 'replace' | 'patch'> {
  return {
    async create<T extends KubernetesObject>(resource: Resource<T, 'create'>, object: T, options: WriteOptions = {}): Promise<T> {
      const path = creationPath(resource, object, options) + writeQuery(options);
      const created = await writer.send<T>({ method: 'POST', path, body: JSON.stringify(typed(object, typeOf(resource))) }, options);
      writer.tell({ verb: 'create', resource, ...placeOf(created), object: created }, options);
      return created;
    },

    async replace<T extends KubernetesObject>(resource: Resource<T, 'update'>, object: T, options: ReplaceOptions = {}): Promise<T> {
      const { path, ...place } = targetOfObject(resource, object, options);
      expectWhole(resource, place, object, options);
      const body = JSON.stringify(typed(object, typeOf(resource)));
      const replaced = await writer.send<T>({ method: 'PUT', path: path + writeQuery(options), body }, options);
      writer.tell({ verb: 'replace', resource, ...place, object: replaced }, options);
      return replaced;
    },

    async patch<T extends KubernetesObject>(
      resource: Resource<T, 'patch'>,
      name: string,
      type: PatchType,
      patch: unknown,
      options: PatchOptions = {},
    ): Promise<T> {
      const { path, ...place } = targetOfName(resource, name, options);
      const sent = patchBody(type, patch, options, { ...typeOf(resource), name });
      const patched = await writer.send<T>({ method: 'PATCH', path: path + writeQuery(options), ...sent }, options);
      writer.tell({ verb: 'patch', resource, ...place, object: patched }, options);
      return patched;
    },
  };
}
