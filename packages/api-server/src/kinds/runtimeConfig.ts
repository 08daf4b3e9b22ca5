/** The properties of a built-in resource that decide whether it is served. */
interface Versioned {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** Keys that switch many versions at once, in the order in which they are applied. */
const many: Readonly<Record<string, RegExp>> = {
  'api/all': /./,
  'api/ga': /^v\d+$/,
  'api/beta': /^v\d+beta\d+$/,
  'api/alpha': /^v\d+alpha\d+$/,
};

const isTrue: ReadonlySet<string> = new Set(['', '1', 't', 'T', 'TRUE', 'true', 'True']);
const isFalse: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function wrong(problem: string): TypeError {
  return new TypeError(`Expected \`runtimeConfig\` to be as the option --runtime-config of kube-apiserver: ${problem}`);
}

function switchOf(key: string, value: string): boolean {
  if (isTrue.has(value)) return true;
  if (isFalse.has(value)) return false;
  throw wrong(`invalid value of ${key}: ${value}`);
}

/** The group, version and resource that a key names; `v1` and `api/v1` name the core group. */
function partsOf(key: string): readonly string[] {
  const parts = key === 'v1' ? ['', 'v1'] : key.split('/');
  if (parts.length < 2 || parts.length > 3) throw wrong(`runtime-config invalid key ${key}`);
  return parts[0] === 'api' && parts[1] === 'v1' ? ['', ...parts.slice(1)] : parts;
}

function checkKeys(keys: readonly string[], resources: readonly Versioned[]): void {
  const known = keys.map((key) => ({ key, parts: partsOf(key) }));
  const unknown = known.filter(({ parts: [group] }) => !resources.some((one) => one.group === group));
  if (unknown.length > 0) throw wrong(`unknown api groups ${unknown.map(({ key }) => key).join(',')}`);
  for (const { parts } of known) {
    const [group = '', version = ''] = parts;
    if (!resources.some((one) => one.group === group && one.version === version))
      throw wrong(`group version ${group}/${version} that has not been registered`);
  }
}

/**
 * Which of the built-in resources are served: the stable versions, and what a configuration in the words of kube-apiserver's
 * `--runtime-config` adds or takes away.
 *
 * @throws TypeError with the words of kube-apiserver for a key or value that it refuses.
 */
export function servedBy<R extends Versioned>(config: Readonly<Record<string, string>>, resources: readonly R[]): readonly R[] {
  if (Object.keys(config).length === 1 && config['api/all'] === 'false') throw wrong('invalid runtime-config with only api/all=false');
  const keys = Object.keys(config).filter((key) => !Object.hasOwn(many, key) && key !== 'api/legacy');
  checkKeys(keys, resources);
  const stages = Object.entries(many).flatMap(([key, versions]) => {
    const value = config[key];
    if (value === undefined) return [];
    if (value !== 'true' && value !== 'false') throw wrong(`invalid value ${key}=${value}`);
    return [{ versions, served: value === 'true' }];
  });
  const single = new Map(keys.map((key) => [partsOf(key).join('/'), switchOf(key, config[key] ?? '')]));
  return resources.filter(({ group, version, plural }) => {
    const ofStage = stages.filter(({ versions }) => versions.test(version)).at(-1)?.served ?? many['api/ga']?.test(version);
    return single.get(`${group}/${version}/${plural}`) ?? single.get(`${group}/${version}`) ?? ofStage ?? false;
  });
}
