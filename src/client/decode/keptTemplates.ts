import type { Family } from './family.js';
import type { Template } from './template.js';

/** What templates may take, in bytes. */
const maxBytes = 32 * 1024 * 1024;
/** When there is no room, one of so many new templates takes the place of one that may be of use yet: others are likelier to be than it is. */
const turnover = 8;

/**
 * The templates that are kept, with their families, and the memory they take.
 */
export class KeptTemplates {
  /** The ones that an object that changes has used last stand behind the others. */
  private readonly families = new Map<Template, Family>();
  private bytes = 0;
  private refused = 0;

  /** All of them, which may be deleted meanwhile. */
  all(): Iterable<Template> {
    return this.families.keys();
  }

  add(template: Template, family: Family): void {
    this.families.set(template, family);
    this.bytes += template.size;
  }

  /** Returns the family that it had, if it was kept. */
  delete(template: Template): Family | undefined {
    const family = this.families.get(template);
    if (family === undefined) return undefined;
    this.families.delete(template);
    this.bytes -= template.size;
    return family;
  }

  /** An object that changes was like the template. */
  used(template: Template): void {
    template.isUsed = true;
    const family = this.families.get(template);
    if (family === undefined || !this.families.delete(template)) return;
    this.families.set(template, family);
  }

  /** Whether there is room for so many bytes. */
  hasRoom(added: number): boolean {
    return this.bytes + added <= maxBytes;
  }

  /** Whether a new template may take the place of the oldest ones: always that of an object that changes, while no such object has used these. */
  mayReplace(changes: boolean): boolean {
    const [oldest] = this.families.keys();
    if (changes && oldest?.isUsed === false) return true;
    this.refused += 1;
    return this.refused % turnover === 0;
  }
}
