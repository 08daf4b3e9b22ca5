import type { AccessAttributes } from '../auth/accessAttributes.js';

/** A right that a client has used: a verb for objects of one resource in one namespace, or for one path outside the API. */
export interface UsedRight {
  /** The client's user agent; `''` without one. */
  readonly userAgent: string;
  readonly user: string;
  readonly verb: string;
  /** `''` for the core group and outside the API. */
  readonly group: string;
  /** The plural, with the subresource if there is one: `pods/log`; `''` outside the API. */
  readonly resource: string;
  /** `''` for cluster-scoped resources and all namespaces. */
  readonly namespace: string;
  /** The requested names; absent when a request had no name, or when there were more than a hundred. */
  readonly names?: readonly string[];
  /** The path of a request outside the API, otherwise `''`. */
  readonly path: string;
}

/** A role with more names than this would not be useful. */
const maxNames = 100;

interface Entry {
  readonly right: UsedRight;
  /** Undefined for any name. */
  names: Set<string> | undefined;
}

/** The rights used on a server: one entry for each right, however often it was used. */
export class RightsLog {
  private readonly entries = new Map<string, Entry>();

  /** Clears everything so far. */
  clear(): void {
    this.entries.clear();
  }

  /** Records a right that was used. */
  record(user: string, userAgent: string, attributes: AccessAttributes): void {
    const { verb, group, resource: plural, subresource, namespace, name, path } = attributes;
    const resource = subresource === '' ? plural : `${plural}/${subresource}`;
    const key = `${userAgent}\n${user}\n${verb}\n${group}\n${resource}\n${namespace}\n${path}`;
    let entry = this.entries.get(key);
    if (entry === undefined) {
      entry = { right: { userAgent, user, verb, group, resource, namespace, path }, names: new Set() };
      this.entries.set(key, entry);
    }
    if (name === '') entry.names = undefined;
    entry.names?.add(name);
    if (entry.names !== undefined && entry.names.size > maxNames) entry.names = undefined;
  }

  /** The used rights, in the order of their first use. */
  list(): readonly UsedRight[] {
    return [...this.entries.values()].map(({ right, names }) => ({ ...right, ...(names !== undefined && { names: [...names].sort() }) }));
  }
}
