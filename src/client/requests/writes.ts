import { isStatus } from '../../api/errors/isStatus.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { resourcePath } from '../../api/resourcePath.js';
import type { Status } from '../../api/errors/status.js';
import type { ClientWrite, DeleteOptions, KubeClient } from '../kubeClient.js';
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
    create: async (resource, object, options = {}) => {
      const path = creationPath(resource, object, options) + writeQuery(options);
      const body = JSON.stringify(typed(object, typeOf(resource)));
      return writer.send({ method: 'POST', path, body }, options, (created) => [
        { verb: 'create', resource, ...placeOf(created), object: created },
      ]);
    },

    delete: async (resource, name, options = {}) => {
      const { path, ...place } = targetOfName(resource, name, options);
      return writer.send({ method: 'DELETE', path, ...deleteBody(options) }, options, (answer) => [
        { verb: 'delete', resource, ...place, ...deletionOf(answer) },
      ]);
    },

    deleteCollection: async (resource, options = {}) => {
      const path = resourcePath(resource, { namespace: options.namespace }) + listQuery(options);
      return writer.send({ method: 'DELETE', path, ...deleteBody(options) }, options, (answer) =>
        ('items' in answer ? answer.items : []).map((object) => ({ verb: 'delete', resource, ...placeOf(object), ...deletionOf(object) })),
      );
    },
  };
}
