import type { Cluster } from '../cluster.js';
import { hostOf } from '../http/crossOrigin.js';
import type { Exchange } from '../http/exchange.js';
import { subresourceVerbs } from '../http/handleResource.js';
import type { ProfileFeatures } from '../profile.js';
import { handleOpenApi } from '../openapi/handleOpenApi.js';
import { parseMediaType } from '../http/mediaTypes.js';
import { methodNotAllowed, onlyForm, pathNotFound } from '../status/statusErrors.js';
import { aggregatedDiscovery, isAggregated } from './aggregatedDiscovery.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacyDiscovery.js';

const healthPaths = new Set(['healthz', 'livez', 'readyz']);
const checks = ['ping', 'log', 'etcd', 'informer-sync'];

async function sendAnyDiscovery(cluster: Cluster, exchange: Exchange, core: boolean): Promise<void> {
  const { kinds, features } = cluster;
  const form = exchange.negotiate({ yaml: true, listed: core, converts: (as) => features.aggregatedDiscovery && isAggregated(as) });
  if (form.as === undefined) {
    await exchange.sendObject(200, core ? apiVersions(hostOf(exchange.incoming) ?? '') : apiGroupList(kinds));
    return;
  }
  const { contentType, etag, body } = aggregatedDiscovery(kinds, core, form.as.version, subresourceVerbs);
  const headers = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (exchange.incoming.headers['if-none-match'] === etag) {
    exchange.response.writeHead(304, headers);
    exchange.response.end();
    return;
  }
  await exchange.sendText(200, body.toString(), contentType, headers);
}

async function sendDiscovery(cluster: Cluster, exchange: Exchange, [root, second, third]: readonly string[]): Promise<void> {
  if (second === undefined || second === '') {
    await sendAnyDiscovery(cluster, exchange, root === 'api');
    return;
  }
  const group = root === 'apis' && third === undefined ? apiGroup(cluster.kinds, second) : undefined;
  if (root === 'apis' && third === undefined && group === undefined) {
    await exchange.sendPageNotFound();
    return;
  }
  const groupVersion = root === 'api' ? second : `${second}/${third ?? ''}`;
  const found =
    group ?? (root === 'api' && third !== undefined ? undefined : apiResourceList(cluster.kinds, groupVersion, subresourceVerbs));
  // The server of custom resources, and of groups that are not served, has a page for every unknown path.
  if (found === undefined && (root === 'api' || (cluster.kinds.isBuiltIn(second) && apiGroup(cluster.kinds, second) !== undefined)))
    throw pathNotFound();
  if (found === undefined) {
    await exchange.sendPageNotFound();
    return;
  }
  exchange.negotiate({ yaml: true, listed: group === undefined, converts: () => false });
  await exchange.sendObject(200, found);
}

async function sendHealth(exchange: Exchange, [root = '', check]: readonly string[]): Promise<void> {
  if (check !== undefined && !checks.includes(check)) {
    await exchange.sendPageNotFound();
    return;
  }
  const excluded = new Set(exchange.parameters.all('exclude'));
  const lines = checks.map((name) => `[+]${name}${excluded.has(name) ? ' excluded:' : ''} ok\n`).join('');
  const verbose = check === undefined && exchange.parameters.has('verbose');
  const headers = check === undefined ? { 'x-content-type-options': 'nosniff' } : {};
  await exchange.sendText(200, verbose ? `${lines}${root} check passed\n` : 'ok', undefined, headers);
}

function versionOf({ gitVersion, modern }: ProfileFeatures): object {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  const nothing = '0'.repeat(40);
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`;
  return {
    major,
    minor,
    ...(modern && {
      emulationMajor: major,
      emulationMinor: minor,
      minCompatibilityMajor: major,
      minCompatibilityMinor: String(Number(minor) - 1),
    }),
    gitVersion,
    gitCommit: nothing,
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform,
  };
}

function knownPaths(cluster: Cluster): readonly string[] {
  const versions = new Set(
    cluster.kinds.all().flatMap(({ group, groupVersion }) => (group === '' ? [] : [`/apis/${group}`, `/apis/${groupVersion}`])),
  );
  return ['/api', '/api/v1', '/apis', ...[...versions].sort(), '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
}

/** Answers with what is there in one form alone. @throws StatusError 406 */
async function sendPlain(
  exchange: Exchange,
  object: object,
  contentType: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const accepted = (exchange.incoming.headers.accept ?? '').split(',').map((clause) => parseMediaType(clause).type);
  if (!accepted.some((type) => ['', '*/*', contentType].includes(type))) throw onlyForm(contentType);
  await exchange.sendObject(200, object, { contentType, headers });
}

/** The documents that other programs use to verify the tokens of service accounts. */
async function sendOpenId({ tokenIssuer }: Cluster, exchange: Exchange, path: string): Promise<boolean> {
  const url = `https://${hostOf(exchange.incoming) ?? ''}`;
  const headers = { 'cache-control': 'public, max-age=3600' };
  const known = path === '.well-known/openid-configuration' || path === 'openid/v1/jwks';
  if (!known) return false;
  if (exchange.method !== 'GET') throw methodNotAllowed();
  if (path === 'openid/v1/jwks') await sendPlain(exchange, tokenIssuer.keySet(), 'application/jwk-set+json', headers);
  else await sendPlain(exchange, tokenIssuer.configuration(url), 'application/json', headers);
  return true;
}

/** Handles every request that is not about objects: discovery, health, version and OpenAPI. */
export async function handleOther(cluster: Cluster, exchange: Exchange, segments: readonly string[]): Promise<void> {
  const [root = '', second] = segments;
  const { method } = exchange;
  const health = healthPaths.has(root) && !exchange.path.endsWith('/');
  // These look at no method, and neither do the lists of groups and of a group's versions.
  if (health) {
    await sendHealth(exchange, segments);
    return;
  }
  const { modern } = cluster.features;
  if (root === 'openapi' && (modern || method === 'GET')) {
    if (!(await handleOpenApi(cluster, exchange, segments.slice(1)))) await exchange.sendPageNotFound();
    return;
  }
  const api = root === 'api' || root === 'apis' || root === 'version' || root === 'openapi';
  const ofGroups = modern && root === 'apis' && segments.length <= 2;
  if (modern && root === 'apis' && !ofGroups && apiGroup(cluster.kinds, second ?? '') === undefined) {
    await exchange.sendPageNotFound();
    return;
  }
  if (modern && (root === 'version' || (root === 'api' && second !== '' && second !== 'v1')) && second !== undefined) throw pathNotFound();
  if (api && method !== 'GET' && !ofGroups) throw methodNotAllowed();
  if (root === 'api' || root === 'apis') await sendDiscovery(cluster, exchange, segments);
  else if (root === 'version' && second === undefined) await sendPlain(exchange, versionOf(cluster.features), 'application/json', {});
  else if (root === '' && segments.length === 1) await exchange.sendObject(200, { paths: knownPaths(cluster) });
  else if (!(await sendOpenId(cluster, exchange, segments.join('/')))) await exchange.sendPageNotFound();
}
