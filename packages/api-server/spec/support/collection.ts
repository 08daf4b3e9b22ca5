import type { AnyJson, Answer } from './httpClient.js';
import type { Target } from './target.js';
import type { WatchReader } from './watchReader.js';

type Labels = Readonly<Record<string, string>>;

/** The objects of one kind in one namespace, for the cases of the scorecard. */
export class Collection {
  readonly target: Target;
  readonly path: string;

  constructor(target: Target, path: string) {
    this.target = target;
    this.path = path;
  }

  /** Secrets in a namespace of their own. */
  static async of(target: Target): Promise<Collection> {
    return new Collection(target, await target.secrets());
  }

  create(name: string, labels?: Labels, more: object = {}): Promise<AnyJson> {
    return this.target.post(this.path, { metadata: { name, ...(labels && { labels }) }, ...more });
  }

  label(name: string, labels: Readonly<Record<string, string | null>>): Promise<AnyJson> {
    return this.target.merge(`${this.path}/${name}`, { metadata: { labels } });
  }

  delete(name: string): Promise<AnyJson> {
    return this.target.delete(`${this.path}/${name}`);
  }

  list(query = ''): Promise<AnyJson> {
    return this.target.must(`${this.path}?${query}`);
  }

  answer(query = ''): Promise<Answer> {
    return this.target.request(`${this.path}?${query}`);
  }

  watch(query = ''): Promise<WatchReader> {
    return this.target.watch(`${this.path}?watch=true&${query}`);
  }

  /** The current version. */
  async version(): Promise<string> {
    return (await this.list('limit=1')).metadata.resourceVersion;
  }
}

/** The names in a list. */
export function namesOf({ items }: AnyJson): readonly string[] {
  return items.map(({ metadata }) => metadata.name);
}

/** The resourceVersion of an object or a list. */
export function versionOf({ metadata }: AnyJson): string {
  return metadata.resourceVersion;
}

/** What an event is about: its type, name and resourceVersion. */
export function sayOf(type: string, object: AnyJson): string {
  return `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`;
}
