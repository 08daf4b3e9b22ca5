import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { HookedRequest } from '../hooks.js';
import type { AccessAttributes, AccessDecision } from './accessAttributes.js';
import { isResourceTarget } from '../http/routePath.js';
import { QueryParameters } from '../http/queryParameters.js';
import { RightsLog } from '../rbac/rightsLog.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, forbidden, unauthorized } from '../status/statusErrors.js';
import { parseFieldSelector } from 'rx-informer/internal';
import type { Store } from '../store/store.js';
import { grantOf, missingRoles } from './roleAccess.js';
import { administrator, anonymous, type User } from './user.js';

/** Authentication and authorization of a server. */
export interface AccessOptions {
  /** Bearer tokens, each with its user or the user's name. */
  readonly tokens?: Readonly<Record<string, string | (Omit<User, 'groups'> & Partial<Pick<User, 'groups'>>)>> | undefined;
  /**
   * Whether requests without credentials get the user `system:anonymous`, who is refused with 403 by default. Otherwise they are refused with 401.
   * @defaultValue true, as Kubernetes
   */
  readonly anonymous?: boolean | undefined;
  /**
   * Returns whether a user may do something; `'rbac'` decides by the roles and bindings in the server, as Kubernetes does. When absent,
   * authenticated users may do everything, and requests without credentials only the health checks.
   */
  readonly authorize?: 'rbac' | ((user: User, attributes: AccessAttributes) => boolean) | undefined;
}

const publicPaths = /^\/(healthz|livez|readyz|version\/?)$/;

function authenticated(name: string, groups: readonly string[]): User {
  return { name, groups: [...new Set([...groups, 'system:authenticated'])] };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

/** The user of the connection's client certificate; undefined without one. */
function userOfCertificate(socket: unknown): User | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { subject, fingerprint256 = '' } = socket.getPeerCertificate() as {
    readonly subject?: { readonly CN?: string; readonly O?: string | readonly string[] };
    readonly fingerprint256?: string;
  };
  if (subject === undefined) return undefined;
  if (!socket.authorized || subject.CN === undefined) throw unauthorized();
  const digest = fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    ...authenticated(subject.CN, listOf(subject.O)),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
  };
}

/** Every value of a header, in order. Node takes its bytes for Latin-1, while they are UTF-8. */
function headerValues({ headers, rawHeaders }: IncomingMessage, name: string): readonly string[] {
  if (headers[name] === undefined) return [];
  return rawHeaders
    .filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
    .map((value) => Buffer.from(value, 'latin1').toString());
}

/** The name that a list or watch is limited to by its field selector; `''` for none. */
function selectedName(query: string): string {
  if (!query.includes('fieldSelector')) return '';
  try {
    const requirements = parseFieldSelector(new QueryParameters(query).text('fieldSelector'));
    return requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value ?? '';
  } catch {
    return ''; // An invalid selector is refused later.
  }
}

const userAgentOf = ({ headers }: IncomingMessage): string => headers['user-agent'] ?? '';

/** A name in which signs may be escaped. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The `Impersonate-Extra-` headers of a request. */
function extraOf(incoming: IncomingMessage): Readonly<Record<string, readonly string[]>> {
  const prefix = 'impersonate-extra-';
  const names = Object.keys(incoming.headers).filter((name) => name.startsWith(prefix));
  return Object.fromEntries(names.map((name) => [unescaped(name.slice(prefix.length)), headerValues(incoming, name)]));
}

function impersonates({ headers }: IncomingMessage): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

/** The attributes of a request that decide about access. */
export function attributesOf(request: HookedRequest): AccessAttributes {
  const { verb, path, query, target } = request;
  if (!isResourceTarget(target)) return { verb, group: '', resource: '', subresource: '', namespace: '', name: '', path };
  const { resource, subresource, namespace, name: own } = target;
  const name = own === '' && (verb === 'list' || verb === 'watch') ? selectedName(query) : own;
  // A Namespace counts as being inside itself.
  const within = resource.bucketId === '/namespaces' ? own : namespace;
  return { verb, group: resource.group, resource: resource.plural, subresource, namespace: within, name, path: '' };
}

/** The error of a request that a user may not make. */
export function forbiddenTo({ name }: User, request: HookedRequest, verb: string = request.verb, reason = ''): StatusError {
  const { target, path } = request;
  const because = reason === '' ? '' : `: ${reason}`;
  if (!isResourceTarget(target)) {
    return new StatusError({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: User "${name}" cannot ${verb} path "${path}"${because}`,
      details: {},
    });
  }
  const { resource, subresource } = target;
  const { namespace } = attributesOf(request);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const plural = subresource === '' ? resource.plural : `${resource.plural}/${subresource}`;
  return forbidden(
    resource,
    attributesOf(request).name,
    `User "${name}" cannot ${verb} resource "${plural}" in API group "${resource.group}" ${where}${because}`,
  );
}

/** The user may not impersonate others, either at all or for this request. */
export class ImpersonationError extends Error {
  readonly user: User;

  constructor(user: User) {
    super(`User "${user.name}" cannot impersonate`);
    this.user = user;
  }
}

/** The verb that permits impersonation for a single verb. */
export function impersonationVerb(name: string, verb: string): string {
  return `impersonate-on:${modeOf(name)}:${verb}`;
}

function modeOf(name: string): string {
  if (/^system:serviceaccount:[^:]+:[^:]+$/.test(name)) return 'serviceaccount';
  return name.startsWith('system:node:') ? 'arbitrary-node' : 'user-info';
}

/**
 * Authenticates and authorizes requests. Without options, every user is an administrator.
 */
export class AccessControl {
  /** The tokens that are valid now. */
  readonly tokens: Map<string, User>;
  /** The rights used so far. */
  readonly used: RightsLog = new RightsLog();
  private readonly options: AccessOptions | undefined;
  private readonly store: Store;

  constructor(options: AccessOptions | undefined, store: Store) {
    this.options = options;
    this.store = store;
    const tokens = Object.entries(options?.tokens ?? {});
    this.tokens = new Map(
      tokens.map(([token, user]) => [
        token,
        typeof user === 'string' ? authenticated(user, []) : { ...user, ...authenticated(user.name, user.groups ?? []) },
      ]),
    );
  }

  /**
   * The user of a request, after impersonation.
   *
   * @throws StatusError 401 for invalid credentials, 403 for forbidden impersonation.
   */
  identify(incoming: IncomingMessage): User {
    const sender = this.senderOf(incoming);
    if (!impersonates(incoming)) return sender;
    const groups = headerValues(incoming, 'impersonate-group');
    const [name, uid] = ['impersonate-user', 'impersonate-uid'].map((header) => headerValues(incoming, header)[0] || undefined);
    const extra = extraOf(incoming);
    if (name === undefined && (groups.length > 0 || uid !== undefined || Object.keys(extra).length > 0))
      throw badRequest('requested groups, a uid or extra fields without impersonating a user name');
    if (name === undefined) return sender;
    const agent = userAgentOf(incoming);
    const [, account, accountName = ''] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
    // What may be impersonated for single verbs only, accounts and nodes, has no groups, uid or extra fields of the sender's choice.
    const whole = groups.length > 0 || uid !== undefined || Object.keys(extra).length > 0;
    const check = (resource: string, own: string, namespace = ''): void =>
      this.checkImpersonation(sender, agent, { resource, name: own, namespace }, whole && modeOf(name) !== 'user-info');
    if (account === undefined) check('users', name);
    else check('serviceaccounts', accountName, account);
    for (const group of groups) check('groups', group);
    if (uid !== undefined) check('uids', uid);
    for (const key of Object.keys(extra)) check('userextras', key);
    const own = account === undefined || groups.length > 0 ? groups : ['system:serviceaccounts', `system:serviceaccounts:${account}`];
    const user = name !== anonymous.name ? authenticated(name, own) : groups.length === 0 ? anonymous : { name, groups };
    return { ...user, ...(uid !== undefined && { uid }), ...(Object.keys(extra).length > 0 && { extra }) };
  }

  /** Whether access is decided by roles. */
  get byRoles(): boolean {
    return this.options?.authorize === 'rbac';
  }

  /** Whether a user may do something. */
  allows(user: User, attributes: AccessAttributes): boolean {
    return (!this.byRoles && publicPaths.test(attributes.path)) || this.decide(user, attributes).allowed;
  }

  /** Whether a user may do something, and why, as in an access review. */
  decide(user: User, attributes: AccessAttributes): AccessDecision {
    const { authorize } = this.options ?? {};
    if (authorize === 'rbac') {
      const reason = grantOf(this.store, user, attributes);
      return reason === undefined ? { allowed: false, reason: this.denialReason(user, attributes) } : { allowed: true, reason };
    }
    const allowed = authorize === undefined ? this.options === undefined || user !== anonymous : authorize(user, attributes);
    return { allowed, reason: '' };
  }

  /**
   * Authorizes a request.
   *
   * @param verb - the verb to authorize: the request's own, or `create` where a write creates a missing object.
   * @throws StatusError 403
   */
  check(user: User, request: HookedRequest, verb: string = request.verb): void {
    const attributes = { ...attributesOf(request), verb };
    if (!this.allows(user, attributes)) throw forbiddenTo(user, request, verb, this.denialReason(user, attributes));
    if (verb === '') return;
    const userAgent = userAgentOf(request.incoming);
    this.used.record(user.name, userAgent, attributes);
    // A server without streamed lists answers this watch like a list.
    const isList = verb === 'watch' && new QueryParameters(request.query).flag('sendInitialEvents');
    if (isList) this.used.record(user.name, userAgent, { ...attributes, verb: 'list' });
  }

  private denialReason(user: User, { namespace }: AccessAttributes): string {
    const missing = this.byRoles ? missingRoles(this.store, user, namespace) : '';
    return missing === '' ? '' : `RBAC: ${missing}`;
  }

  private checkImpersonation(
    user: User,
    userAgent: string,
    impersonated: Pick<AccessAttributes, 'resource' | 'name' | 'namespace'>,
    whole: boolean,
  ): void {
    const { resource, name, namespace } = impersonated;
    const attributes = { verb: 'impersonate', group: '', subresource: '', path: '', ...impersonated };
    if (this.allows(user, attributes)) {
      this.used.record(user.name, userAgent, attributes);
      return;
    }
    if (this.byRoles && !whole) throw new ImpersonationError(user);
    const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const reason = `User "${user.name}" cannot impersonate resource "${resource}" in API group "" ${where}`;
    throw forbidden({ group: '', plural: resource }, name, reason);
  }

  private senderOf({ headers, socket }: IncomingMessage): User {
    if (this.options === undefined) return administrator;
    const certified = userOfCertificate(socket);
    if (certified !== undefined) return certified;
    const token = /^Bearer +(\S*)/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined && this.options.anonymous !== false) return anonymous;
    const user = this.tokens.get(token ?? '');
    if (user === undefined) throw unauthorized();
    return user;
  }
}
