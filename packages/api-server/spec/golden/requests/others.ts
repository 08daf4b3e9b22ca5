import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequests } from '../goldenCase.js';
import { golden } from '../names.js';

interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

const names = (body: AnyJson): readonly string[] => Object.keys(body).sort();
const resourcesOf = (body: AnyJson): readonly ApiResource[] => body['resources'] as readonly ApiResource[];
const shownResources = (body: AnyJson): readonly string[] =>
  resourcesOf(body)
    .map(({ name, singularName, namespaced, kind, verbs, shortNames, categories }) =>
      [name, singularName, String(namespaced), kind, [...verbs].sort().join(','), String(shortNames), String(categories)].join('|'),
    )
    .sort();
const discovery = (paths: readonly string[]): GoldenRequests =>
  Object.fromEntries(paths.map((path) => [`discovery ${path}`, { shown: shownResources }]));

const groups = ['apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io', 'apiextensions.k8s.io', 'authentication.k8s.io'];
const moreGroups = ['authorization.k8s.io', 'policy', 'storage.k8s.io'];
const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const shown = { shown: names };

/** Requests about the server itself, and about their user. */
export const others: GoldenRequests = {
  ...discovery(['/api/v1', ...[...groups, ...moreGroups].map((group) => `/apis/${group}/v1`)]),
  'GET version': shown,
  'GET root': shown,
  'GET openapi v2': shown,
  'GET openapi v3': shown,
  'GET openapi v3 apps': shown,
  'GET oidc': shown,
  'GET jwks': shown,
  'GET openapi v2 pb': { headers: { accept: protobuf } },
  'GET /apis': {
    shown: (body) =>
      (body['groups'] as readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[]).map(
        ({ name, versions }) => `${name}:${versions.map(({ version }) => version).join(',')}`,
      ),
  },
  'GET /apis aggregated': {
    headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' },
  },
  'cr discovery': {
    headers: {},
    shown: (body) => resourcesOf(body),
  },
  '401 bad token': { headers: { authorization: 'Bearer bad' } },
  '401 basic': { headers: { authorization: 'Basic YTpi' } },
  anonymous: { headers: { authorization: '' } },
  'anonymous version': { headers: { authorization: '' } },
  impersonate: { headers: { 'impersonate-user': 'carol' } },
  'impersonate group only': { headers: { 'impersonate-group': 'carol' } },
  sar: {
    body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    shown: ({ status }) => ({ allowed: status['allowed'] }),
  },
  'sar empty': { body: { spec: {} } },
  tokenreview: { body: { spec: { token: golden.token } }, shown: ({ status }) => status },
  ssr: { body: {}, shown: ({ status }) => status },
  '405 post api': { body: {} },
  '405 post apis': { body: {} },
};
