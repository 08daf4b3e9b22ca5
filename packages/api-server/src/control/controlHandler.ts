import type { ActivityLog } from '../activityLog.js';
import type { User } from '../auth/user.js';
import type { Fault } from '../faults/fault.js';
import type { ApiServerFaults } from '../faults/faults.js';
import type { InjectedFault } from '../faults/faultSet.js';
import { decodeBody } from '../http/decodeBody.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import { asString, isJsonObject, type JsonObject } from '../json.js';
import { badRequest, methodNotAllowed, pathNotFound } from '../status/statusErrors.js';
import type { RightsLog } from '../rbac/rightsLog.js';
import type { StoreSnapshot } from '../store/store.js';

/** The operations of the control endpoint. */
export interface Controlled {
  readonly faults: ApiServerFaults;
  readonly activity: ActivityLog;
  readonly cluster: { readonly access: { readonly tokens: Map<string, User>; readonly used: RightsLog } };
  snapshot(): StoreSnapshot;
  restore(snapshot: StoreSnapshot): void;
  reset(): void;
}

/** Handles a request under `/-/`. */
export type ControlHandler = (exchange: Exchange, path: readonly string[]) => Promise<void>;

/** The first path segment of the control endpoint; no path of the API begins with it. */
export const controlSegment = '-';

async function bodyOf({ incoming }: Exchange): Promise<JsonObject> {
  const body = await readBody(incoming);
  // Web pages cannot send this content type to another origin without a CORS preflight.
  if (incoming.headers['content-type'] !== 'application/json') throw badRequest('expected a body of the type application/json');
  try {
    const decoded = body.length === 0 ? {} : decodeBody('application/json', body);
    if (isJsonObject(decoded)) return decoded;
  } catch {
    // The error is thrown below.
  }
  throw badRequest('expected the body to be a JSON object');
}

/** An injected fault, and how often it has struck. */
interface AskedFault {
  readonly asked: JsonObject;
  readonly injected: InjectedFault;
}

class Control {
  private readonly controlled: Controlled;
  private readonly ids = new Map<string, AskedFault>();
  private readonly snapshots = new Map<string, StoreSnapshot>();
  /** For each kind that was removed, by group and plural: the function that serves it again. */
  private readonly removedKinds = new Map<string, () => void>();

  constructor(controlled: Controlled) {
    this.controlled = controlled;
  }

  async handle(exchange: Exchange, [what = '', id]: readonly string[]): Promise<void> {
    exchange.negotiate({ yaml: true, custom: true, converts: () => false });
    const { activity } = this.controlled;
    const { method } = exchange;
    if (what === 'faults') await this.handleFaults(exchange, id);
    else if (method === 'GET' && what === 'requests') await exchange.sendObject(200, { items: activity.requests });
    else if (method === 'GET' && what === 'rights') await exchange.sendObject(200, { items: this.controlled.cluster.access.used.list() });
    else if (method === 'GET' && what === 'writes') await exchange.sendObject(200, { items: activity.writes });
    else if (method === 'POST') await exchange.sendObject(200, this.act(what, await bodyOf(exchange)));
    else if (method === 'GET') throw pathNotFound();
    else throw methodNotAllowed();
  }

  private async handleFaults(exchange: Exchange, id: string | undefined): Promise<void> {
    const { faults } = this.controlled;
    if (exchange.method === 'GET') {
      await exchange.sendObject(200, { items: [...this.ids].map(([known, fault]) => this.shown(known, fault)) });
    } else if (exchange.method === 'POST' && id === undefined) {
      const fault = await bodyOf(exchange);
      await exchange.sendObject(201, this.inject(fault));
    } else if (exchange.method === 'DELETE') {
      const found = id === undefined ? undefined : this.ids.get(id);
      if (id !== undefined && found === undefined) throw pathNotFound();
      if (found === undefined) faults.clear();
      else found.injected.remove();
      await exchange.sendObject(200, found === undefined || id === undefined ? {} : this.shown(id, found));
    } else throw methodNotAllowed();
  }

  private inject(fault: JsonObject): object {
    const id = String(this.ids.size + 1);
    const { pathPattern, userAgentPattern, snapshot, ...rest } = fault;
    try {
      const injected = this.controlled.faults.inject({
        // The server may be closed by another program than the one that injected the fault.
        optional: true,
        ...rest,
        ...(typeof pathPattern === 'string' && { path: new RegExp(pathPattern) }),
        ...(typeof userAgentPattern === 'string' && { userAgent: new RegExp(userAgentPattern) }),
        ...(snapshot !== undefined && { snapshot: this.snapshots.get(asString(snapshot)) }),
      } as unknown as Fault);
      this.ids.set(id, { asked: fault, injected });
      return this.shown(id, { asked: fault, injected });
    } catch (error) {
      throw badRequest(error instanceof Error ? error.message : String(error));
    }
  }

  private shown(id: string, { asked, injected: { struck, active } }: AskedFault): object {
    return { id, fault: asked, struck, active };
  }

  private act(what: string, body: JsonObject): object {
    const { faults } = this.controlled;
    const version = asString(body['resourceVersion']) || undefined;
    const actions: Readonly<Record<string, () => void>> = {
      restore: () => this.restore(asString(body['id'])),
      reset: () => this.controlled.reset(),
      expire: () => faults.expire(version),
      compact: () => faults.compact(version),
      'expire-watches': () => faults.expireWatches(version),
      'end-watches': () => faults.endWatches(),
      // Connections are cut after this answer has been sent.
      'cut-connections': () => setImmediate(() => faults.cutConnections()),
      'clear-activity': () => this.controlled.activity.clear(),
      'remove-kind': () => this.removeKind(asString(body['group']), asString(body['plural'])),
      'serve-kind': () => this.serveKind(asString(body['group']), asString(body['plural'])),
      'add-token': () => this.addToken(asString(body['token']), asString(body['user'])),
      'revoke-token': () => this.controlled.cluster.access.tokens.delete(asString(body['token'])),
    };
    if (what === 'snapshot') return this.takeSnapshot();
    const action = Object.hasOwn(actions, what) ? actions[what] : undefined;
    if (action === undefined) throw pathNotFound();
    try {
      action();
      return {};
    } catch (error) {
      throw error instanceof TypeError ? badRequest(error.message) : error;
    }
  }

  private takeSnapshot(): object {
    const snapshot = this.controlled.snapshot();
    const id = String(this.snapshots.size + 1);
    this.snapshots.set(id, snapshot);
    return { id, resourceVersion: String(snapshot.resourceVersion) };
  }

  private removeKind(group: string, plural: string): void {
    this.removedKinds.set(`${group}/${plural}`, this.controlled.faults.removeKind({ group, plural }));
  }

  private serveKind(group: string, plural: string): void {
    const serve = this.removedKinds.get(`${group}/${plural}`);
    if (serve === undefined) throw pathNotFound();
    this.removedKinds.delete(`${group}/${plural}`);
    serve();
  }

  private addToken(token: string, name: string): void {
    if (token === '' || name === '') throw new TypeError('Expected `token` and `user` to be texts');
    this.controlled.cluster.access.tokens.set(token, { name, groups: ['system:authenticated'] });
  }

  private restore(id: string): void {
    const snapshot = this.snapshots.get(id);
    if (snapshot === undefined) throw pathNotFound();
    this.controlled.restore(snapshot);
  }
}

/**
 * Offers to other processes the controls that a test has in its own process: JSON over HTTP.
 *
 * - `POST /-/faults` injects a fault: {@link Fault} as JSON, with `pathPattern` and `userAgentPattern` for regular expressions and the id of a
 *   snapshot as `snapshot`. `GET` lists the faults with how often they struck, `DELETE` removes one (`/-/faults/ID`) or all.
 * - `POST /-/expire`, `/-/compact` and `/-/expire-watches` take `{"resourceVersion":"N"}` or nothing.
 * - `POST /-/end-watches`, `/-/cut-connections`, `/-/reset` and `/-/clear-activity` take nothing.
 * - `POST /-/remove-kind` and `/-/serve-kind` take `{"group":"apps","plural":"deployments"}`.
 * - `POST /-/add-token` takes `{"token":"...","user":"..."}`, `/-/revoke-token` `{"token":"..."}`.
 * - `POST /-/snapshot` answers with an `id`, which `POST /-/restore` takes.
 * - `GET /-/requests` and `/-/writes` list the recorded requests and writes, `/-/rights` the rights that clients have used:
 *   `rx-informer rbac` makes roles of them.
 *
 * @example
 * ```sh
 * curl -H content-type:application/json -d '{"type":"endWatch","errorCode":410,"atOnce":true,"count":1}' http://127.0.0.1:8080/-/faults
 * ```
 */
export function createControlHandler(controlled: Controlled): ControlHandler {
  const control = new Control(controlled);
  return (exchange, path) => control.handle(exchange, path);
}
