import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createInformer, resources } from 'rx-informer';
import { forPages } from '../../workshop/tools/forPages.js';
import { accessReviews, createRelay } from '@rx-informer/relay';
import type { Cluster } from './cluster.js';
import { rolloutsOf } from './rollouts.js';

/** A running dashboard. */
export interface Dashboard {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const pageFolder = new URL('page/', import.meta.url);

/** Bundles the page's program from its sources, so that no build step is needed. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('main.tsx', pageFolder))],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022', jsx: 'automatic' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [forPages],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

function cookieOf(header: string | null | undefined, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(header ?? '')?.[1];
}

/** Serves the page and its relay. The user's name is read from a cookie; a real dashboard would ask its identity provider. */
export async function startDashboard({ client, grant }: Cluster, port: number): Promise<Dashboard> {
  const { pods: podResource } = resources.core.v1;
  const { deployments: deploymentResource } = resources.apps.v1;
  const [pods, deployments] = [createInformer(client, podResource), createInformer(client, deploymentResource)];
  const rollouts = rolloutsOf(deployments, pods);
  const relay = createRelay({
    sources: {
      pods: { collection: pods, resource: podResource },
      deployments: { collection: deployments, resource: deploymentResource },
      rollouts: { collection: rollouts, inputs: ['pods', 'deployments'] },
    },
    authenticate: ({ headers }) => {
      const name = cookieOf(headers.get('cookie'), 'user');
      return name === undefined ? undefined : { name };
    },
    authorize: accessReviews(client),
  });
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html; charset=utf-8', await readFile(new URL('index.html', pageFolder), 'utf8')],
    '/style.css': ['text/css; charset=utf-8', await readFile(new URL('style.css', pageFolder), 'utf8')],
    '/main.js': ['text/javascript; charset=utf-8', await bundlePage()],
  };
  let cutUntil = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0] ?? '/';
    const file = files[path];
    if (file !== undefined) response.setHeader('content-type', file[0]).end(file[1]);
    else if (path === '/relay' && Date.now() < cutUntil) request.socket.destroy();
    else if (path === '/relay') relay.handle(request, response);
    else if (request.method === 'POST' && request.headers['x-dashboard'] !== undefined) {
      const asked = (await json(request)) as { readonly namespace?: string; readonly isGranted?: boolean; readonly cutMs?: number };
      if (path === '/behind/rights') await grant('bob', asked.namespace ?? '', asked.isGranted === true);
      if (path === '/behind/network') {
        cutUntil = Date.now() + (asked.cutMs ?? 0);
        response.once('close', () => web.closeAllConnections());
      }
      response.setHeader('connection', 'close').end();
    } else response.writeHead(404).end();
  };
  const web = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => web.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
    close: async () => {
      relay.stop();
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
      await rollouts.stop();
      await Promise.all([pods.stop(), deployments.stop()]);
    },
  };
}
