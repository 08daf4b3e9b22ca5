// Makes a release: a commit and a tag. Pushing the tag publishes it (.github/workflows/release.yml).
//
//   npm run release --prefix workshop -- 0.1.0 --owner NAME   the first one: fills in whose project it is, in package.json
//   npm run release --prefix workshop -- 0.2.0                CHANGELOG.md, versions, the gate, the tarball, the commit, the tag
//   npm run release --prefix workshop -- 0.2.0 --dry-run      only says what it would do
//   npm run release --prefix workshop -- 0.2.0 --notes        prints what is new in a version that is released
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { published } from './houses.js';
import { notesOf, withRelease } from './release/changelog.js';
import { asPublished, placeholdersOf, withOwner } from './release/published.js';

interface Step {
  readonly what: string;
  readonly act: () => void;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Pages that describe the installation: they change when the package is published. */
const guides = ['getting-started', 'first-operator', 'live-table'].map((name) => `docs/${name}.md`);
const pages = ['README.md', ...guides, 'packages/cli/README.md', 'packages/create/README.md'];
const manifests = published.map((folder) => join(folder, 'package.json'));
const changed = ['CHANGELOG.md', 'package-lock.json', ...manifests, ...pages];

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const npm = (...args: readonly string[]): unknown => execFileSync('npm', args, { cwd: root, stdio: 'inherit' });
const manifest = (): { readonly version: string } => JSON.parse(read('package.json')) as { readonly version: string };
const versionNow = (): string => manifest().version;

const numbersOf = (version: string): readonly number[] => version.split(/[.-]/, 3).map(Number);

function isBefore(version: string, other: string): boolean {
  const [theirs, ours] = [numbersOf(other), numbersOf(version)];
  const at = ours.findIndex((number, place) => number !== theirs[place]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

function checkVersion(version: string | undefined): string {
  if (version === undefined || !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
    throw new TypeError(`Expected a version such as 0.2.0, got ${version ?? 'none'}`);
  }
  return version;
}

/** A manifest of a version: packages depend on each other's own version exactly. */
function withVersion(text: string, version: string): string {
  const current = versionNow();
  return text.replace(
    /("(?:version|create-rx-informer|rx-informer|@rx-informer\/[\w-]+)": )"([^"]*)"/g,
    (whole, key: string, value: string) => (value === current ? `${key}"${version}"` : whole),
  );
}

/** Checks the preconditions before anything is changed. */
function checkState(version: string, owner: string | undefined): void {
  const current = versionNow();
  if (isBefore(version, current)) throw new TypeError(`Expected a version that is not before ${current}, got ${version}`);
  const placeholders = placeholdersOf({ ...manifest() });
  if (placeholders.length > 0 && owner === undefined) {
    throw new Error(`Expected --owner NAME, since package.json has a placeholder (OWNER) in ${placeholders.join(', ')}, got none`);
  }
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new Error(`Expected a clean work tree, got\n${changes}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`Expected v${version} to be a new tag, got one that exists`);
}

function stepsOf(version: string, owner: string | undefined): readonly Step[] {
  const owned = owner === undefined ? undefined : withOwner(read('package.json'), owner);
  const changelog = withRelease(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  return [
    ...(owned === undefined
      ? []
      : [{ what: `package.json: the project of ${String(owner)}`, act: () => writeFileSync(join(root, 'package.json'), owned) }]),
    { what: `CHANGELOG.md: what is unreleased becomes ${version}`, act: () => writeFileSync(join(root, 'CHANGELOG.md'), changelog) },
    {
      what: `package-lock.json, ${manifests.join(', ')}: version ${version}`,
      act: () => {
        for (const file of manifests) writeFileSync(join(root, file), withVersion(read(file), version));
        npm('install', '--package-lock-only', '--ignore-scripts');
      },
    },
    {
      what: `${pages.join(', ')}: the package is got from the registry`,
      act: () => pages.forEach((page) => writeFileSync(join(root, page), asPublished(read(page)))),
    },
    { what: 'the gate: npm run check', act: () => void npm('run', 'check') },
    {
      what: 'the tarballs, of the build that the gate has made',
      act: () => void npm('pack', '--ignore-scripts', '--workspaces', '--include-workspace-root'),
    },
    {
      what: `git commit: release ${version}`,
      act: () => void git('commit', '--quiet', '--message', `release ${version}`, '--', ...changed),
    },
    { what: `git tag v${version}`, act: () => void git('tag', '--annotate', `v${version}`, '--message', `rx-informer ${version}`) },
  ];
}

function release(version: string, owner: string | undefined): void {
  try {
    for (const { what, act } of stepsOf(version, owner)) {
      console.log(`== ${what}`);
      act();
    }
  } catch (error) {
    if (git('tag', '--list', `v${version}`) === '') git('checkout', 'HEAD', '--', ...changed);
    throw error;
  }
  console.log(`\nLook at it, then: git push --follow-tags`);
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, notes: { type: 'boolean', default: false }, owner: { type: 'string' } },
    allowPositionals: true,
  });
  const version = checkVersion(positionals[0]);
  if (values.notes) {
    if (versionNow() !== version) throw new Error(`Expected version ${version} in package.json, got ${versionNow()}`);
    console.log(notesOf(read('CHANGELOG.md'), version));
    return;
  }
  checkState(version, values.owner);
  if (!values['dry-run']) release(version, values.owner);
  else for (const { what } of stepsOf(version, values.owner)) console.log(`would do: ${what}`);
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
