import type { Environment } from '@marcbachmann/cel-js';

const number = '(?:0|[1-9]\\d*)';
const syntax = new RegExp(`^(${number})\\.(${number})\\.(${number})(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?$`);

/** A semantic version in a rule. */
class Version {
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
}

/** Normalizes a lenient version: removes a leading `v` and leading zeros, and adds missing numbers. */
function completed(text: string): string {
  const [, core = '', rest = ''] = /^v?([\d.]*)(.*)$/.exec(text.trim()) ?? [];
  const numbers = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  return [...numbers, '0', '0'].slice(0, Math.max(3, numbers.length)).join('.') + rest;
}

function versionOf(text: string, free: boolean): Version | undefined {
  const [, major, minor, patch, prerelease, build] = syntax.exec(free ? completed(text) : text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  const parts = prerelease?.split('.') ?? [];
  const bad = (part: string, isBuild: boolean): boolean => part === '' || (!isBuild && /^0\d+$/.test(part));
  if (parts.some((part) => bad(part, false)) || (build?.split('.') ?? []).some((part) => bad(part, true))) return undefined;
  return new Version([major, minor, patch].map(BigInt), parts);
}

function needed(text: string, free = false): Version {
  const found = versionOf(text, free);
  if (found === undefined) throw new Error(`Expected a semantic version such as 1.2.3, got ${JSON.stringify(text)}`);
  return found;
}

function comparedParts(a: string, b: string): number {
  const numeric = [a, b].map((part) => /^\d+$/.test(part));
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
  if (numeric[0] === true) return Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b));
  return Number(a > b) - Number(a < b);
}

/** Compares two versions: one with a prerelease is older than the same one without. */
function compared(a: Version, b: Version): number {
  for (const [at, own] of a.numbers.entries()) {
    const other = b.numbers[at] ?? 0n;
    if (own !== other) return own < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return Math.sign(b.prerelease.length - a.prerelease.length);
  for (const [at, own] of a.prerelease.entries()) {
    const other = b.prerelease[at];
    if (other === undefined) return 1;
    const difference = comparedParts(own, other);
    if (difference !== 0) return difference;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Adds the functions for semantic versions. */
export function addVersions(environment: Environment): void {
  environment.registerType('kubernetes.Semver', Version);
  environment.registerOperator('kubernetes.Semver == kubernetes.Semver', (a: Version, b: Version) => compared(a, b) === 0);
  const functions: Readonly<Record<string, (...values: never[]) => unknown>> = {
    'isSemver(string): bool': (text: string) => versionOf(text, false) !== undefined,
    'isSemver(string, bool): bool': (text: string, free: boolean) => versionOf(text, free) !== undefined,
    'semver(string): kubernetes.Semver': (text: string) => needed(text),
    'semver(string, bool): kubernetes.Semver': needed,
    'kubernetes.Semver.major(): int': ({ numbers }: Version) => numbers[0],
    'kubernetes.Semver.minor(): int': ({ numbers }: Version) => numbers[1],
    'kubernetes.Semver.patch(): int': ({ numbers }: Version) => numbers[2],
    'kubernetes.Semver.compareTo(kubernetes.Semver): int': (a: Version, b: Version) => BigInt(compared(a, b)),
    'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: Version, b: Version) => compared(a, b) < 0,
    'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: Version, b: Version) => compared(a, b) > 0,
  };
  for (const [signature, handler] of Object.entries(functions))
    environment.registerFunction(signature, handler as (...values: unknown[]) => unknown);
}
