import { describe, expect, it } from '@jest/globals';
import { notesOf, withRelease } from '../../tools/release/changelog.js';

const changelog = `# Changelog

## [Unreleased]

### Added

- A thing.

## [0.1.0] - 2026-01-01

- The first things.
`;

describe('withRelease', () => {
  it('puts what is unreleased under the version and its date', () => {
    const after = withRelease(changelog, '0.2.0', '2026-02-02');

    expect(after).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-02-02\n\n### Added\n\n- A thing.\n\n## [0.1.0]');
    expect(notesOf(after, '0.2.0')).toBe('### Added\n\n- A thing.');
    expect(notesOf(after, '0.1.0')).toBe('- The first things.');
  });

  it('refuses when nothing is unreleased', () => {
    const released = withRelease(changelog, '0.2.0', '2026-02-02');

    expect(() => withRelease(released, '0.3.0', '2026-03-03')).toThrow(
      'Expected entries under "## [Unreleased]" in CHANGELOG.md, got none',
    );
  });

  it('refuses a version that is there already', () => {
    expect(() => withRelease(changelog, '0.1.0', '2026-02-02')).toThrow('Expected 0.1.0 to be new');
  });
});

describe('notesOf', () => {
  it('refuses a version that nothing is written about', () => {
    expect(() => notesOf(changelog, '9.9.9')).toThrow('Expected entries under "## [9.9.9]" in CHANGELOG.md, got none');
  });
});
