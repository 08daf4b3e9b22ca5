import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { HookedRequest } from '../hooks.js';
import { isResourceTarget } from '../http/routePath.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, forbidden, unauthorized } from '../status/statusErrors.js';
import { administrator, anonymous, type User } from './user.js';

/** A request, by its user, verb and object. */
export interface AccessAttributes {
  readonly verb: string;
  /** `''` for the core group and outside the API. */
  readonly group: string;
  /** The plural; `''` outside the API. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path of a request outside the API, otherwise `''`. */
  readonly path: string;
}

/** Who may use a server, and for what. */
export interface AccessOptions {
  /** Bearer tokens, each with the user that it stands for, or with that user's name. */
  readonly tokens?: Readonly<Record<string, string | User>>;
  /**
   * Whether requests without credentials come from the user `system:anonymous`, who is refused with 403 by default. Otherwise they are refused with 401.
   * @defaultValue true, as Kubernetes
   */
  readonly anonymous?: boolean;
  /** Returns whether a user may do it. Everything is allowed when absent; nothing but the health checks without credentials. */
  readonly authorize?: (user: User, attributes: AccessAttributes) => boolean;
}

const publicPaths = /^\/(healthz|livez|readyz|version)(\/|$)/;

/** The refusal of groups to act as without a user in them. */
function withoutUser(groups: readonly string[]): StatusError {
  const list = groups.map((group) => JSON.stringify(group)).join(', ');
  const asked = `&user.DefaultInfo{Name:"", UID:"", Groups:[]string{${list}}, Extra:map[string][]string(nil)}`;
  return badRequest(`requested ${asked} without impersonating a user name`);
}

function authenticated(name: string, groups: readonly string[]): User {
  return { name, groups: [...new Set([...groups, 'system:authenticated'])] };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

/** Whom the certificate of a connection stands for; undefined when the client has shown none. */
function userOfCertificate(socket: unknown): User | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { subject } = socket.getPeerCertificate() as {
    readonly subject?: { readonly CN?: string; readonly O?: string | readonly string[] };
  };
  if (subject === undefined) return undefined;
  if (!socket.authorized || subject.CN === undefined) throw unauthorized();
  return authenticated(subject.CN, listOf(subject.O));
}

/** Every value of a header, in order. */
function headerValues({ headers, rawHeaders }: IncomingMessage, name: string): readonly string[] {
  if (headers[name] === undefined) return [];
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** What a request wants to do. */
export function attributesOf({ verb, path, target }: HookedRequest): AccessAttributes {
  if (!isResourceTarget(target)) return { verb, group: '', resource: '', subresource: '', namespace: '', name: '', path };
  const { resource, subresource, namespace, name } = target;
  return { verb, group: resource.group, resource: resource.plural, subresource, namespace, name, path: '' };
}

/** The refusal of a request to a user. */
export function forbiddenTo({ name }: User, request: HookedRequest): StatusError {
  const { target, path, verb } = request;
  if (!isResourceTarget(target)) {
    return new StatusError({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: User "${name}" cannot ${verb} path "${path}"`,
      details: {},
    });
  }
  const { resource, subresource, namespace } = target;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const plural = subresource === '' ? resource.plural : `${resource.plural}/${subresource}`;
  return forbidden(resource, target.name, `User "${name}" cannot ${verb} resource "${plural}" in API group "${resource.group}" ${where}`);
}

/**
 * Finds out who sends a request, and whether they may. Without options everybody is an administrator.
 */
export class AccessControl {
  /** The tokens that count at the moment. */
  readonly tokens: Map<string, User>;
  private readonly options: AccessOptions | undefined;

  constructor(options: AccessOptions | undefined) {
    this.options = options;
    const tokens = Object.entries(options?.tokens ?? {});
    this.tokens = new Map(
      tokens.map(([token, user]) => [
        token,
        typeof user === 'string' ? authenticated(user, []) : { ...user, ...authenticated(user.name, user.groups) },
      ]),
    );
  }

  /**
   * Who sends a request, impersonation included.
   *
   * @throws StatusError 401 for credentials that do not count, 403 for somebody who may not act as others.
   */
  identify(incoming: IncomingMessage): User {
    const sender = this.senderOf(incoming);
    const [[name], groups] = [headerValues(incoming, 'impersonate-user'), headerValues(incoming, 'impersonate-group')];
    if (name === undefined && groups.length > 0) throw withoutUser(groups);
    if (name === undefined) return sender;
    this.checkImpersonation(sender, 'users', name);
    for (const group of groups) this.checkImpersonation(sender, 'groups', group);
    return authenticated(name, groups);
  }

  /** Whether a user may do something. */
  allows(user: User, attributes: AccessAttributes): boolean {
    if (this.options === undefined || publicPaths.test(attributes.path)) return true;
    if (this.options.authorize !== undefined) return this.options.authorize(user, attributes);
    return user !== anonymous;
  }

  /**
   * Lets a request through.
   *
   * @throws StatusError 403
   */
  check(user: User, request: HookedRequest): void {
    if (!this.allows(user, attributesOf(request))) throw forbiddenTo(user, request);
  }

  private checkImpersonation(user: User, resource: string, name: string): void {
    const attributes = { verb: 'impersonate', group: '', resource, subresource: '', namespace: '', name, path: '' };
    if (this.allows(user, attributes)) return;
    const reason = `User "${user.name}" cannot impersonate resource "${resource}" in API group "" at the cluster scope`;
    throw forbidden({ group: '', plural: resource }, name, reason);
  }

  private senderOf({ headers, socket }: IncomingMessage): User {
    if (this.options === undefined) return administrator;
    const certified = userOfCertificate(socket);
    if (certified !== undefined) return certified;
    const token = /^Bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined && this.options.anonymous !== false) return anonymous;
    const user = this.tokens.get(token ?? '');
    if (user === undefined) throw unauthorized();
    return user;
  }
}
