import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Window } from 'happy-dom';
import { createInformer, type KubeClient, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { relaySource } from '@rx-informer/relay/client';
import { accessReviews, createRelay, type Relay } from '@rx-informer/relay';
import { groupObjects, type View } from '@rx-informer/views';
import { Beside, type Room, Told } from './room.js';

// In development, React records performance entries, which nothing removes in Node.
process.env['NODE_ENV'] = 'production';
const { createElement } = await import('react');
const { useCollection } = await import('@rx-informer/views/react');
const window = new Window();
Object.assign(globalThis, { window, document: window.document });
const { createRoot } = await import('react-dom/client');

type Page = SharedInformer<V1ConfigMap>;
const scopes: Readonly<Record<string, Parameters<typeof relaySource>[1]>> = {
  metadata: { kind: 'configmaps' },
  whole: { kind: 'configmaps', namespace: 'default', fields: 'all' },
  window: { kind: 'configmaps', window: { orderBy: 'metadata.creationTimestamp', descending: true, limit: 5 } },
  view: { view: 'groups' },
};
/** How long a user stays on a page. A relay keeps the data of a user for a minute. */
const stayMs = 500;

/**
 * A relay of an informer and a view, and pages in this process that follow it over HTTP and show it with React. Pages of users with new
 * names come and go.
 */
export class RelayRoom implements Room {
  private readonly counter = new Told(...Object.keys(scopes), 'rendered', 'passing page');
  readonly told: Room['told'] = this.counter.counts;
  private readonly groups: View<unknown>;
  private readonly relay: Relay;
  private readonly server: Server;
  private readonly beside = new Beside();
  private leavePages: () => Promise<void> = () => Promise.resolve();

  private constructor(client: KubeClient, informer: SharedInformer<V1ConfigMap>) {
    this.groups = groupObjects(informer, ({ metadata }) => metadata?.labels?.['kind'] ?? '');
    this.relay = createRelay({
      sources: {
        configmaps: { collection: informer, resource: resources.core.v1.configmaps },
        groups: { collection: this.groups, inputs: ['configmaps'] },
      },
      authenticate: ({ headers }) => ({ name: headers.get('authorization') ?? '', groups: ['system:masters'] }),
      authorize: accessReviews(client),
    });
    this.server = createServer((request, response) => this.relay.handle(request, response));
  }

  static async open(client: KubeClient, informer: SharedInformer<V1ConfigMap>): Promise<RelayRoom> {
    const room = new RelayRoom(client, informer);
    room.server.listen(0, '127.0.0.1');
    await once(room.server, 'listening');
    room.leavePages = await room.openPages('ada', (name) => name);
    return room;
  }

  pass(round: number): void {
    this.beside.begin(async () => {
      const close = await this.openPages(`user-${String(round)}`, () => 'passing page');
      await delay(stayMs);
      await close();
    });
  }

  async leave(): Promise<void> {
    await this.beside.end();
    await this.leavePages();
    this.relay.stop();
    this.server.close();
    this.server.closeAllConnections();
    await this.groups.stop();
  }

  /** A page that follows everything. */
  private async openPages(user: string, nameOf: (name: string) => string): Promise<() => Promise<void>> {
    const url = `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/`;
    const pages = Object.entries(scopes).map(([name, scope]): Page => {
      const page: Page = createInformer(relaySource<V1ConfigMap>(url, { ...scope, token: user }), { name: `${user} ${name}` });
      page.change$.subscribe(this.counter.observer(nameOf(name)));
      return page;
    });
    const rendered = this.counter.note(nameOf('rendered'));
    const Shown = ({ page }: { readonly page: Page }): string => {
      const [all, , , state] = useCollection(page);
      rendered();
      return `${state} ${String(all?.size ?? 0)}`;
    };
    const root = createRoot(window.document.createElement('div'));
    root.render(pages.map((page, at) => createElement(Shown, { page, key: at })));
    await Promise.all(pages.map((page) => page.whenSynced()));
    return async () => {
      root.unmount();
      for (const page of pages) await page.stop();
    };
  }
}
