import { deepFreeze } from '../../api/deepFreeze.js';
import type { Comparison } from './differences.js';
import { LayoutReader } from './jsonLayout.js';
import { mixed, type Names } from './outline.js';
import { Template, type TemplateText } from './template.js';

type Json = Readonly<Record<string, unknown>>;

/** What templates may take, in bytes; where there is no room, one new template in this number takes the place of the oldest. */
const maxBytes = 32 * 1024 * 1024;
const turnover = 8;
/** Templates that no object was like for this number of objects, or for twice as many as there are templates, are dropped. */
const leastAge = 1_024;
/** After this number of objects in a row that a template was not like, and where templates are of no use, one object in a number is compared. */
const maxMisfits = 3;
const sampled = 32;
/** Of how many names and families it is known that they were seen with a form. */
const seenSlots = 16_384;

/**
 * What it counts that an object was like a template, that it was not like its own version before, and that it has kept its form without being compared. All others count one less. While
 * the score is not above zero, templates are of no use for these objects, and only one in a number is looked at.
 */
const fit = 8;
const misfit = -32;
const keptForm = 1;
const firstScore = 24;
const mostScore = 1_024;
const leastScore = -64;

let layoutReader: LayoutReader | undefined;

/**
 * What objects of one type are compared with: by their names, by family and form, and by their forms alone.
 *
 * Objects of one form have as many parts, so that most of them differ in nothing but strings and numbers.
 */
export class Templates {
  /** Those that were made or found of use last stand behind the others. One template may have several keys. */
  private readonly kept = new Map<number, Template>();
  private bytes = 0;
  private readonly seen = new Int32Array(seenSlots);
  private score = firstScore;
  /** How many objects came since the last time that old templates were dropped. */
  private reads = 0;
  private refused = 0;
  private leftOut = 0;

  /** Whether the next object is to be looked at, and not just parsed. */
  isOfUse(): boolean {
    if ((this.reads += 1) > Math.max(leastAge, 2 * this.kept.size)) this.dropUnused();
    if (this.score > 0) return true;
    this.leftOut += 1;
    return this.leftOut % sampled === 0;
  }

  /** An object of that name and form was seen, and not looked at. */
  pass({ form, name }: Names): void {
    this.wasSeen(mixed(name, form));
  }

  /** What to compare an object with. */
  find({ name, family, form }: Names): Template | undefined {
    const { kept } = this;
    const own = kept.get(name);
    if (own?.form === form) return own;
    const found = kept.get(mixed(family, form)) ?? own ?? kept.get(form);
    return found === undefined || found.misfits <= maxMisfits || (found.misfits += 1) % sampled === 0 ? found : undefined;
  }

  /** The object was like the template: a later version of it, or one of a family and form that may have none. */
  fitted(template: Template, outline: Names, match: Comparison, object: Json, changes: boolean): void {
    const { family, form, name } = outline;
    template.isUsed = true;
    template.misfits = 0;
    this.count(fit);
    if (changes && template.name === name && !template.advance(match, object)) this.drop(template);
    const key = mixed(family, form);
    if (template.name === name || template.form !== form || this.kept.has(key)) return;
    if (template.family === family) {
      this.keep(key, template);
      return;
    }
    // Siblings stand together in a list.
    const wasSeen = this.wasSeen(key);
    const derived = (wasSeen || !changes) && this.hasRoom(template.size) ? template.derived(outline, match, object) : undefined;
    if (derived === undefined) return;
    this.keep(form, derived);
    if (wasSeen) this.keep(key, derived);
  }

  /** The object was not like the template. */
  misfitted(template: Template, { name }: Names): void {
    template.misfits += 1;
    if (template.name !== name) return;
    this.drop(template);
    this.count(misfit);
  }

  /**
   * Whether a template is to be made of an object that was like none: of the second one of its family and form and, where it changed, the second time that it has its form; and, unless that has been of no
   * use, of any that changed, and of the first one of a form.
   */
  wants({ family, form, name }: Names, changes: boolean): boolean {
    const { kept } = this;
    const key = mixed(family, form);
    const hasForm = this.wasSeen(mixed(name, form));
    const hasSibling = this.wasSeen(key);
    if (changes && hasForm) this.count(keptForm);
    else if (this.score > 0) this.count(-1);
    if (changes ? hasForm || hasSibling : hasSibling && !kept.has(key)) return true;
    // Where templates have been of no use, one of an object that is like nothing that was seen would be of none.
    return this.score > 0 && (changes || !kept.has(form));
  }

  private count(points: number): void {
    this.score = Math.max(leastScore, Math.min(mostScore, this.score + points));
  }

  /** Whether one of that family and form was seen before, and not too many others since. */
  private wasSeen(key: number): boolean {
    const slot = key % seenSlots;
    const wasSeen = this.seen[slot] === key;
    this.seen[slot] = key;
    return wasSeen;
  }

  /** Makes a template of an object. */
  make(outline: Names, text: TemplateText, object: Json, changes: boolean): void {
    const { family, form, name } = outline;
    const key = mixed(family, form);
    if (!this.hasRoom(text.length)) return;
    const reader = (layoutReader ??= new LayoutReader());
    if (!reader.read(text.bytes, text.length, object)) return;
    const template = new Template(deepFreeze(object), outline, reader.layout(this.kept.get(form)?.layout), text, reader.starts);
    const isShape = !this.kept.has(key);
    if (isShape) this.keep(key, template);
    if (isShape) this.keep(form, template);
    if (changes) this.keep(name, template);
  }

  /** An object is gone. */
  forget({ family, form, name }: Names): void {
    for (const template of [this.kept.get(name), this.kept.get(mixed(family, form))]) if (template?.name === name) this.drop(template);
  }

  private keep(key: number, template: Template): void {
    const before = this.kept.get(key);
    if (before !== undefined) this.remove(key, before);
    if (template.keys.length === 0) this.bytes += template.size;
    template.keys.push(key);
    this.kept.set(key, template);
  }

  private remove(key: number, template: Template): void {
    this.kept.delete(key);
    template.keys.splice(template.keys.indexOf(key), 1);
    if (template.keys.length === 0) this.bytes -= template.size;
  }

  private drop(template: Template): void {
    for (const key of [...template.keys]) this.remove(key, template);
  }

  private dropUnused(): void {
    this.reads = 0;
    const all = new Set(this.kept.values());
    for (const template of all) {
      if (!template.isUsed) this.drop(template);
      template.isUsed = false;
    }
  }

  /** Makes room for a number of bytes, if it may. */
  private hasRoom(added: number): boolean {
    if (this.bytes + added <= maxBytes) return true;
    this.refused += 1;
    if (this.refused % turnover !== 0) return false;
    for (const template of this.kept.values()) {
      if (this.bytes + added <= maxBytes) break;
      this.drop(template);
    }
    return true;
  }
}
