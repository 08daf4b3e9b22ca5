import type { AccessAttributes } from '../auth/accessAttributes.js';

/** What a client has done to objects of one resource in one namespace by one verb, or to one path outside the API. */
export interface UsedRight {
  /** As the client calls itself; `''` where it does not. */
  readonly userAgent: string;
  readonly user: string;
  readonly verb: string;
  /** `''` for the core group and outside the API. */
  readonly group: string;
  /** The plural, with the subresource where there is one: `pods/log`; `''` outside the API. */
  readonly resource: string;
  /** `''` for cluster-scoped resources and all namespaces. */
  readonly namespace: string;
  /** The names that were asked for; absent where one request asked for none, or where more than a hundred were asked for. */
  readonly names?: readonly string[];
  /** The path of a request outside the API, otherwise `''`. */
  readonly path: string;
}

/** A role with more names than this would help nobody. */
const mostNames = 100;

interface Entry {
  readonly right: UsedRight;
  /** Undefined for any name. */
  names: Set<string> | undefined;
}

/** The rights that were used on a server: one entry for each, however often it was used. */
export class RightsLog {
  private readonly entries = new Map<string, Entry>();

  /** Clears everything so far. */
  clear(): void {
    this.entries.clear();
  }

  /** Records what a user was let do. */
  record(user: string, userAgent: string, attributes: AccessAttributes): void {
    const { verb, group, resource: plural, subresource, namespace, name, path } = attributes;
    const resource = subresource === '' ? plural : `${plural}/${subresource}`;
    const key = [userAgent, user, verb, group, resource, namespace, path].join('\n');
    let entry = this.entries.get(key);
    if (entry === undefined) {
      entry = { right: { userAgent, user, verb, group, resource, namespace, path }, names: new Set() };
      this.entries.set(key, entry);
    }
    if (name === '') entry.names = undefined;
    entry.names?.add(name);
    if (entry.names !== undefined && entry.names.size > mostNames) entry.names = undefined;
  }

  /** What was used so far, in the order in which it was used first. */
  list(): readonly UsedRight[] {
    return [...this.entries.values()].map(({ right, names }) => ({ ...right, ...(names !== undefined && { names: [...names].sort() }) }));
  }
}
