import { Subject, type Observable } from 'rxjs';
import { isStatus } from '../api/isStatus.js';
import type { KubernetesList, KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import { resourcePath } from '../api/resourcePath.js';
import type { Status } from '../api/status.js';
import { jsonOf } from './answer.js';
import type { ClientWrite, DeleteOptions, KubeClient, PatchOptions, PatchType, SelectionOptions, WriteOptions } from './kubeClient.js';
import { patchBody } from './patchBody.js';
import { listQuery, query, writeQuery } from './query.js';
import type { Requester } from './requester.js';
import { requestName } from './requestName.js';
import { creationPath, targetOfName, targetOfObject, typed, typeOf } from './target.js';
import type { TransportRequest } from './transport.js';

type Writes = Pick<KubeClient, 'create' | 'replace' | 'patch' | 'delete' | 'deleteCollection'>;

/**
 * Sends writes, and tells of those that the server has carried out.
 */
export class Writer {
  private readonly requester: Requester;
  private readonly written = new Subject<ClientWrite>();
  readonly writes$: Observable<ClientWrite> = this.written.asObservable();

  constructor(requester: Requester) {
    this.requester = requester;
  }

  async send<T>(request: TransportRequest, options: WriteOptions | DeleteOptions): Promise<T> {
    const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.requester.ask({ ...request, headers: { ...headers, ...request.headers } }, options);
    return jsonOf(answer, requestName(request)) as T;
  }

  tell(write: ClientWrite, options: WriteOptions | DeleteOptions): void {
    if (options.dryRun !== true) this.written.next(write);
  }

  close(): void {
    this.written.complete();
  }
}

/** The name and namespace that the server gave an object. */
function placeOf({ metadata }: KubernetesObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

function deleteBody({ gracePeriodSeconds, propagationPolicy, preconditions, dryRun }: DeleteOptions): { readonly body?: string } {
  const given = { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: dryRun === true ? ['All'] : undefined };
  if (Object.values(given).every((value) => value === undefined)) return {};
  return { body: JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...given }) };
}

function deletionOf(answer: KubernetesObject | Status): Pick<ClientWrite, 'object' | 'uid'> {
  if (!isStatus(answer)) return { object: answer as KubernetesObject, ...uidOf((answer as KubernetesObject).metadata?.uid) };
  return uidOf(answer.details?.uid);
}

function uidOf(uid: string | undefined): { readonly uid?: string } {
  return uid === undefined ? {} : { uid };
}

/**
 * The part of a client that changes objects.
 */
export function writes(writer: Writer): Writes {
  return {
    async create<T extends KubernetesObject>(resource: Resource<T, 'create'>, object: T, options: WriteOptions = {}): Promise<T> {
      const path = creationPath(resource, object, options) + writeQuery(options);
      const created = await writer.send<T>({ method: 'POST', path, body: JSON.stringify(typed(object, typeOf(resource))) }, options);
      writer.tell({ verb: 'create', resource, ...placeOf(created), object: created }, options);
      return created;
    },

    async replace<T extends KubernetesObject>(resource: Resource<T, 'update'>, object: T, options: WriteOptions = {}): Promise<T> {
      const { path, ...place } = targetOfObject(resource, object, options);
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

    async delete<T extends KubernetesObject>(resource: Resource<T, 'delete'>, name: string, options: DeleteOptions = {}): Promise<T | Status> {
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
