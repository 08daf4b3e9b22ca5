// CHANGELOG.md, in the form of Keep a Changelog: sections of the second level, the newest first, "Unreleased" before all.

interface Section {
  readonly heading: string;
  readonly body: string;
}

const headingOf = (name: string): string => `## [${name}]`;

function sectionOf(changelog: string, name: string): Section | undefined {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(headingOf(name)));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const body = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return { heading: lines[start] ?? '', body: body.join('\n').trim() };
}

/**
 * The changes of a version.
 *
 * @throws Error when it has no section.
 */
export function notesOf(changelog: string, version: string): string {
  const notes = sectionOf(changelog, version)?.body ?? '';
  if (!/^- /m.test(notes)) throw new Error(`Expected entries under "${headingOf(version)}" in CHANGELOG.md, got none`);
  return notes;
}

/** The changelog with the unreleased changes under a new version. */
export function withRelease(changelog: string, version: string, date: string): string {
  if (sectionOf(changelog, version) !== undefined) throw new Error(`Expected ${version} to be new, got it in CHANGELOG.md already`);
  notesOf(changelog, 'Unreleased');
  const heading = sectionOf(changelog, 'Unreleased')?.heading ?? '';
  return changelog.replace(heading, `${heading}\n\n${headingOf(version)} - ${date}`);
}
