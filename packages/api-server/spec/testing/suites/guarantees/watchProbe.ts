import { type KubernetesObject, metaNamespaceKey } from 'rx-informer';
import type { Selects, WatchEvent } from 'rx-informer/internal';
import type { checkWatchGuarantees } from 'rx-informer/testing';
import { initialEventsEndAnnotation } from '../../../../../../src/api/listerWatcher.js';
import type { Target } from '../../../support/target.js';
import { steadily } from '../../../../../../spec/testing/suites/guarantees/steadily.js';
import type { WatchReader } from '../../../support/watchReader.js';

export type WatchObservation = Parameters<typeof checkWatchGuarantees>[1][number];

/**
 * The observation of a watch with `sendInitialEvents`: the events up to the marked bookmark are the state. Undefined if the bookmark has
 * not arrived.
 */
function observationOfWatchList(
  client: string,
  events: readonly WatchEvent<KubernetesObject>[],
  selects?: Selects,
): WatchObservation | undefined {
  const end = events.findIndex(
    ({ type, object }) => type === 'BOOKMARK' && object.metadata?.annotations?.[initialEventsEndAnnotation] === 'true',
  );
  const marker = events[end];
  if (marker?.type !== 'BOOKMARK') return undefined;
  const state = new Map<string, KubernetesObject>();
  for (const event of events.slice(0, end)) {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue;
    if (event.type === 'DELETED') state.delete(metaNamespaceKey(event.object));
    else state.set(metaNamespaceKey(event.object), event.object);
  }
  return {
    client,
    resourceVersion: marker.object.metadata?.resourceVersion ?? '',
    state: [...state.values()],
    events: events.slice(end + 1),
    ...(selects !== undefined && { selects }),
  };
}

/** How a probe reads. */
export interface ProbeOptions {
  readonly client: string;
  /** The probe of a collection. */
  readonly path: string;
  /** A query that selects, for example `labelSelector=a%3Db`. */
  readonly query?: string;
  readonly selects?: Selects;
  /** Whether it lets the server stream the state. Otherwise it lists, in pages of two. */
  readonly watchList?: boolean;
  /** Ends each watch after this many seconds, and resumes from the last version; never if absent. */
  readonly timeoutSeconds?: number;
}

interface Session {
  readonly reader: WatchReader;
  observation(): WatchObservation | undefined;
}

/**
 * Lists and watches without any code of this library, and keeps everything that came, as observations.
 */
export class WatchProbe {
  private readonly target: Target;
  private readonly options: ProbeOptions;
  private readonly sessions: Session[] = [];
  private ended = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(target: Target, options: ProbeOptions) {
    this.target = target;
    this.options = options;
  }

  /** What has been seen so far. */
  get observations(): readonly WatchObservation[] {
    return this.sessions.map((session) => session.observation()).filter((observation) => observation !== undefined);
  }

  /** The objects' names that came with any event or list so far. */
  has(name: string): boolean {
    const named = ({ metadata }: KubernetesObject): boolean => metadata?.name === name;
    return this.observations.some(
      ({ state = [], events }) => state.some(named) || events.some(({ type, object }) => type !== 'ERROR' && named(object)),
    );
  }

  /** Resolves when the first watch is open; the probe then continues by itself. */
  async start(): Promise<void> {
    await this.begin();
    this.loop = this.follow();
  }

  async stop(): Promise<void> {
    this.ended = true;
    this.sessions.at(-1)?.reader.close();
    await this.loop;
  }

  private async follow(): Promise<void> {
    for (;;) {
      const session = this.sessions.at(-1);
      await session?.reader.ended;
      if (this.ended || session === undefined) return;
      const expired = session.reader.events.some(({ type }) => type === 'ERROR');
      const seen = session.observation();
      if (expired || seen === undefined) {
        await this.begin();
        continue;
      }
      const last = seen.events.at(-1);
      await this.watchFrom(last === undefined ? seen.resourceVersion : (last.object.metadata?.resourceVersion ?? ''));
    }
  }

  private async begin(): Promise<void> {
    if (this.options.watchList !== true) {
      const { resourceVersion, items } = await this.list();
      return this.watchFrom(resourceVersion, items);
    }
    const { client, selects } = this.options;
    const reader = await this.watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan');
    this.sessions.push({
      reader,
      observation: () => observationOfWatchList(client, reader.events as unknown as WatchEvent<KubernetesObject>[], selects),
    });
  }

  private async watchFrom(resourceVersion: string, state?: readonly KubernetesObject[]): Promise<void> {
    const { client, selects } = this.options;
    const reader = await this.watch(`resourceVersion=${resourceVersion}`);
    this.sessions.push({
      reader,
      observation: () => ({
        client,
        resourceVersion,
        events: reader.events as unknown as WatchEvent<KubernetesObject>[],
        ...(state !== undefined && { state }),
        ...(selects !== undefined && { selects }),
      }),
    });
  }

  private watch(query: string): Promise<WatchReader> {
    const { path, query: selection = '', timeoutSeconds } = this.options;
    const timeout = timeoutSeconds === undefined ? '' : `&timeoutSeconds=${String(timeoutSeconds)}`;
    return steadily(() => this.target.watch(`${path}?watch=true&allowWatchBookmarks=true&${query}&${selection}${timeout}`));
  }

  private async list(): Promise<{ readonly resourceVersion: string; readonly items: readonly KubernetesObject[] }> {
    const { path, query = '' } = this.options;
    const items: KubernetesObject[] = [];
    for (let token = ''; ;) {
      const page = await steadily(() => this.target.must(`${path}?limit=2&${query}${token === '' ? '' : `&continue=${token}`}`));
      items.push(...(page.items as readonly KubernetesObject[]));
      token = page.metadata.continue ?? '';
      if (token === '') return { resourceVersion: page.metadata.resourceVersion, items };
    }
  }
}
