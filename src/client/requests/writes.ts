import { isStatus } from '../../api/errors/isStatus.js';
import type { KubernetesList, KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resourcePath } from '../../api/resourcePath.js';
import type { Status } from '../../api/errors/status.js';
import type { ClientWrite, DeleteOptions, KubeClient, SelectionOptions, WriteOptions } from '../kubeClient.js';
import { listQuery, writeQuery } from './query.js';
import { creationPath, placeOf, targetOfName, typed, typeOf } from './target.js';
import type { Writer } from './writer.js';

function deleteBody({ gracePeriodSeconds, propagationPolicy, preconditions, dryRun }: DeleteOptions): { readonly body?: string } {
  const given = { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: dryRun === true ? ['All'] : undefined };
  if (Object.values(given).every((value) => value === undefined)) return {};
  return { body: JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...given }) };
}

function deletionOf(answer: KubernetesObject | Status): Pick<ClientWrite, 'object' | 'uid'> {
  const object: KubernetesObject | undefined = isStatus(answer) ? undefined : answer;
  const uid = isStatus(answer) ? answer.details?.uid : answer.metadata?.uid;
  return { ...(object !== undefined && { object }), ...(uid !== undefined && { uid }) };
}

/** The part of a client that creates and deletes objects. */
export function writes(writer: Writer): Pick<KubeClient, 'create' | 'delete' | 'deleteCollection'> {
  return {
    async create<T extends KubernetesObject>(resource: Resource<T, 'create'>, object: T, options: WriteOptions = {}): Promise<T> {
      const path = creationPath(resource, object, options) + writeQuery(options);
      const created = await writer.send<T>({ method: 'POST', path, body: JSON.stringify(typed(object, typeOf(resource))) }, options);
      writer.tell({ verb: 'create', resource, ...placeOf(created), object: created }, options);
      return created;
    },

    async delete<T extends KubernetesObject>(
      resource: Resource<T, 'delete'>,
      name: string,
      options: DeleteOptions = {},
    ): Promise<T | Status> {
      const { path, ...place } = targetOfName(resource, name, options);
      const answer = await writer.send<T | Status>({ method: 'DELETE', path, ...deleteBody(options) }, options);
      writer.tell({ verb: 'delete', resource, ...place, ...deletionOf(answer) }, options);
      return answer;
    },

    async deleteCollection<T extends KubernetesObject>(
      resource: Resource<T, 'deletecollection'>,
      options: DeleteOptions & SelectionOptions = {},
    ): Promise<KubernetesList<T> | Status> {
      const path = resourcePath(resource, { namespace: options.namespace }) + listQuery(options);
      const answer = await writer.send<KubernetesList<T> | Status>({ method: 'DELETE', path, ...deleteBody(options) }, options);
      for (const object of 'items' in answer ? answer.items : []) {
        writer.tell({ verb: 'delete', resource, ...placeOf(object), ...deletionOf(object) }, options);
      }
      return answer;
    },
  };
}
