import { LastVersion } from './lastVersion.js';
import type { TemplateMatch } from './templateMatch.js';

/** What they may take, in bytes: those of some 20,000 pods. */
const maxBytes = 32 * 1024 * 1024;

/**
 * The last versions of the objects that change, by the number of their names.
 */
export class LastVersions {
  private readonly versions = new Map<number, LastVersion>();
  private bytes = 0;

  get(name: number): LastVersion | undefined {
    return this.versions.get(name);
  }

  /** An object was read, compared with the template of its last version, if it has one. */
  set(name: number, object: Readonly<Record<string, unknown>>, match: TemplateMatch): void {
    const { versions } = this;
    let version = versions.get(name);
    this.bytes -= version?.size ?? 0;
    if (version === undefined) versions.set(name, (version = new LastVersion(object, match)));
    else version.set(object, match);
    this.bytes += version.size;
    if (this.bytes > maxBytes) this.deleteOldest();
  }

  delete(name: number): void {
    if (this.versions.size === 0) return;
    this.bytes -= this.versions.get(name)?.size ?? 0;
    this.versions.delete(name);
  }

  private deleteOldest(): void {
    for (const name of this.versions.keys()) {
      if (this.bytes <= maxBytes) return;
      this.delete(name);
    }
  }
}
