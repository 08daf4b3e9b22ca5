import { resourceName } from 'rx-informer/internal';
import type { Cluster } from './cluster.js';
import { isResourceTarget } from './http/routePath.js';
import type { Exchange } from './http/exchange.js';
import type { RightsLog } from './rbac/rightsLog.js';
import type { ServedResource } from './kinds/servedResource.js';
import type { ChangeType } from './store/bucket.js';
import type { StoredObject } from './store/storedObject.js';
import type { UnstructuredObject } from 'rx-informer';

/**
 * A request that the server has answered.
 */
export type RecordedRequest = Readonly<{
  method: string;
  path: string;
  query: string;
  /** The verb, for example `list` or `watch`; outside the API the method in lower case. */
  verb: string;
  /** For example `pods` or `deployments.apps`; `''` outside the API. */
  resource: string;
  namespace: string;
  name: string;
  subresource: string;
  userAgent: string;
  /** The status of the answer; 0 when the connection was cut before there was one. */
  code: number;
}>;

/**
 * A write that the server has carried out, for any client.
 */
export interface RecordedWrite {
  readonly type: ChangeType;
  /** For example `pods` or `deployments.apps`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly object: UnstructuredObject;
}

const remembered = 10_000;
const maxBytes = 64 * 1024 * 1024;

const source = Symbol('source');

/** A write, with the state of its object from which `object` is computed. */
interface Entry extends RecordedWrite {
  readonly [source]: { readonly stored: StoredObject; readonly resource: ServedResource | undefined };
}

/** One accessor for all entries: an accessor of its own for each entry is slow, and takes twice the memory. */
const shownObject: PropertyDescriptor & ThisType<Entry> = {
  enumerable: true,
  get(): UnstructuredObject {
    const { stored, resource } = this[source];
    return { ...(resource !== undefined && { apiVersion: resource.groupVersion, kind: resource.kind }), ...stored.content };
  },
};

function sizeOf(write: RecordedWrite): number {
  return (write as Entry)[source].stored.body.length;
}

/**
 * The requests and writes of a server, for assertions in tests: at least the last ten thousand of each, or fewer writes if their objects take more
 * than 32 MB.
 */
export class ActivityLog {
  /** In the order in which they ended; a watch ends when it is closed. */
  readonly requests: RecordedRequest[] = [];
  readonly writes: RecordedWrite[] = [];
  /** The rights that clients have used. */
  private readonly rights: RightsLog;

  /** The size of the objects of the writes, in bytes. */
  private bytes = 0;

  /** @internal */
  constructor(rights: RightsLog) {
    this.rights = rights;
  }

  /** Clears everything so far, including the rights for `server.rbac()`. */
  clear(): void {
    this.rights.clear();
    this.requests.length = 0;
    this.writes.length = 0;
    this.bytes = 0;
  }

  /** Begins to record the writes of a server. @internal */
  recordWrites({ store, kinds }: Pick<Cluster, 'store' | 'kinds'>): void {
    const names = new Map<string, string>();
    const nameOf = (id: string): string => {
      const [group = '', plural = ''] = id.split('/');
      const name = resourceName({ group, plural });
      names.set(id, name);
      return name;
    };
    store.onChange(({ id }, { type, object: stored }) => {
      const { namespace, name, resourceVersion } = stored;
      const write = { type, resource: names.get(id) ?? nameOf(id), namespace, name, resourceVersion: String(resourceVersion) };
      Object.defineProperty(write, source, { value: { stored, resource: kinds.ofBucket(id) } });
      Object.defineProperty(write, 'object', shownObject);
      this.appendWrite(write as Entry);
    });
  }

  /** Records a request that has been answered. @internal */
  recordRequest({ method, path, query, verb, target, incoming, response }: Exchange): void {
    const found = isResourceTarget(target) ? target : undefined;
    // Trimmed only at twice the limit: removing the first element of an array moves all others.
    if (this.requests.length > 2 * remembered) this.requests.splice(0, this.requests.length - remembered);
    this.requests.push({
      method,
      path,
      query,
      verb,
      resource: found === undefined ? '' : resourceName(found.resource),
      namespace: found?.namespace ?? '',
      name: found?.name ?? '',
      subresource: found?.subresource ?? '',
      userAgent: incoming.headers['user-agent'] ?? '',
      code: response.headersSent ? response.statusCode : 0,
    });
  }

  private appendWrite(write: Entry): void {
    this.writes.push(write);
    this.bytes += sizeOf(write);
    if (this.writes.length <= 2 * remembered && this.bytes <= maxBytes) return;
    let gone = 0;
    for (const oldest of this.writes) {
      if (this.writes.length - gone <= remembered && this.bytes <= maxBytes / 2) break;
      this.bytes -= sizeOf(oldest);
      gone += 1;
    }
    this.writes.splice(0, gone);
  }
}
