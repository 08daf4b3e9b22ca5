import type { VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { InformerClient } from '../../src/informer/parts/part.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';

/** A client in front of one fake server per resource, with a log of its requests. */
export interface FakeClient extends InformerClient {
  readonly serverOf: (plural: string) => FakeListerWatcher;
  /** The verb, the plural and the selection of each request. */
  readonly requests: string[];
  /** All parameters of each request. */
  readonly raw: Readonly<Record<string, unknown>>[];
}

interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | object | undefined;
  readonly fieldSelector?: string | undefined;
}

function isSelected({ metadata }: KubernetesObject, { namespace = '', fieldSelector = '' }: Selection): boolean {
  const name = /^metadata\.name=(.*)$/.exec(fieldSelector)?.[1];
  return (namespace === '' || metadata?.namespace === namespace) && (name === undefined || metadata?.name === name);
}

export function fakeClient(scheduler: VirtualTimeScheduler): FakeClient {
  const servers = new Map<string, FakeListerWatcher>();
  const requests: string[] = [];
  const raw: Readonly<Record<string, unknown>>[] = [];
  const serverOf = (plural: string): FakeListerWatcher => {
    const server = servers.get(plural) ?? new FakeListerWatcher({ scheduler, resource: plural });
    servers.set(plural, server);
    return server;
  };
  const ask = (verb: 'list' | 'watch', plural: string, request: Selection) => {
    const { namespace, labelSelector, fieldSelector } = request;
    const labels = typeof labelSelector === 'object' ? JSON.stringify(labelSelector) : labelSelector;
    requests.push([verb, plural, namespace, labels, fieldSelector].filter((part) => part !== undefined).join(' '));
    raw.push({ verb, plural, ...request });
    return serverOf(plural).where((object) => isSelected(object, request), namespace ?? '');
  };
  return {
    serverOf,
    requests,
    raw,
    listChunks: (resource, request) => ask('list', resource.plural, request).list(request) as never,
    watch: (resource, request) => ask('watch', resource.plural, request).watch(request) as never,
  };
}
