import { deepFreeze } from '../../api/deepFreeze.js';
import { ComparisonUse, sampled } from './comparisonUse.js';
import type { Comparison } from './differences.js';
import { Family } from './family.js';
import { KeptTemplates } from './keptTemplates.js';
import { LayoutReader, type JsonLayout } from './jsonLayout.js';
import type { NameHash } from './nameHash.js';
import { Template, type TemplateText } from './template.js';

type Json = Readonly<Record<string, unknown>>;

const maxLayouts = 64;
/** Templates of one family: a pod that waits is not like one that runs. */
const maxShapes = 8;
/** After so many objects that were not like what they were compared with, or families of one, only one of so many is looked at. */
const maxMisfits = 3;
/** Holds nothing between two calls, so that one is enough for all. */
let layoutReader: LayoutReader | undefined;

/**
 * What objects of one type are compared with: one template for each shape of a family, and one for each object that changes and is not like its family.
 */
export class Templates {
  /** Those of more than one object, or with templates. */
  private readonly families = new Map<number, Family>();
  private readonly own = new Map<number, Template>();
  private readonly kept = new KeptTemplates();
  private layouts: readonly JsonLayout[] = [];
  /** The newest one, for objects whose families have none, and how many of these in a row were not like it. It need not be kept. */
  private newest: Template | undefined;
  private newestFamily = 0;
  private strangers = 0;
  /** Whether comparing has been of use. */
  readonly use: ComparisonUse = new ComparisonUse();
  /** Counts the lists. */
  private list = 0;
  private listed = { family: -1, count: 0 };
  /** How many families in a row had one object only, in a list. */
  private singles = 0;

  /** What to compare an object with: a version of its own, one of its family of about its length, if that is known, or the newest one where the family has none. */
  find({ family, name }: NameHash, span: number | undefined): Template | undefined {
    const own = this.own.get(name);
    if (own !== undefined) return own;
    const known = this.shapesOf(family);
    if (known === undefined) {
      if (this.strangers > maxMisfits) this.strangers += 1;
      return this.strangers <= maxMisfits || this.strangers % sampled === 0 ? this.newest : undefined;
    }
    if (known.misfits > maxMisfits) {
      known.misfits += 1;
      if (known.misfits % sampled !== 0) return undefined;
    }
    return span === undefined ? known.templates.at(-1) : known.nearest(span);
  }

  /** Whether objects of lists need not be compared: they have not been like others of late, and none has a version before. */
  get isIdle(): boolean {
    return this.use.isIdle && this.own.size === 0;
  }

  /** An object of this name was listed or added. */
  count({ family }: NameHash, isListed: boolean): void {
    const known = this.families.get(family);
    if (known !== undefined) {
      if (known.seen !== this.list && isListed) known.live = 0;
      known.seen = this.list;
      known.live += 1;
    }
    if (this.listed.family === family) {
      this.listed.count += 1;
      if (known === undefined) this.familyOf(family);
      return;
    }
    if (isListed) this.singles = this.listed.count === 1 ? this.singles + 1 : 0;
    this.listed = { family, count: 1 };
  }

  /**
   * The object was like the template, of which it may be a later version.
   *
   * @returns whether its family has no template yet, and was not met just before.
   */
  fitted(template: Template, { family, name }: NameHash, changes: boolean, match: Comparison, object: Json, end: number): boolean {
    const known = this.shapesOf(family);
    template.seen = this.list;
    const isOwn = this.own.get(name) === template;
    this.use.fitted(isOwn || known !== undefined);
    if (!isOwn && known === undefined) this.strangers = 0;
    else if (!isOwn && known !== undefined) known.misfits = 0;
    // The template of a family of one is that one's last version.
    const isFollowed = isOwn || (template.name === name && known !== undefined && known.live <= 1);
    if (changes) this.kept.used(template);
    if (changes && isFollowed && !template.advance(match, object, end)) this.drop(template);
    return !isOwn && known === undefined && family !== this.newestFamily;
  }

  /** The object was not like the template. */
  misfitted(template: Template, { family, name }: NameHash): void {
    const known = this.shapesOf(family);
    const isOwn = template.name === name;
    if (isOwn) this.failed();
    if (isOwn) this.drop(template);
    else if (known === undefined) this.strangers += 1;
    else known.misfits += 1;
  }

  /** Whether a template is to be made of an object that was parsed, and not like what it was compared with. */
  wants({ family }: NameHash, isListed: boolean): boolean {
    if (isListed) this.use.missed();
    if (isListed && this.singles > maxMisfits && this.listed.count < 2) return false;
    if (isListed && this.shapesOf(family) !== undefined) return false;
    return this.use.wantsMore();
  }

  /** Makes the template of an object that was parsed: of a shape of its family, if that has none like it, or else of its own. */
  make({ family, name }: NameHash, text: TemplateText, span: number, object: Json, changes: boolean): void {
    const known = this.families.get(family);
    const isShape = known === undefined || known.nearest(span) === undefined;
    if (!isShape && !changes) return;
    const isKept = this.makeRoom(text.length, changes);
    if (changes && !isKept) return;
    const reader = (layoutReader ??= new LayoutReader());
    if (!reader.read(text.bytes, text.length, object)) return;
    const layout = reader.layout(this.layouts);
    if (!this.layouts.includes(layout)) this.layouts = [layout, ...this.layouts].slice(0, maxLayouts);
    const template = new Template(deepFreeze(object), name, layout, text, reader.starts, span);
    template.isUsed = changes;
    this.take(family, template);
    if (isKept) this.keep(family, template, isShape);
  }

  /** Makes the template of an object that was compared with one of another family. Returns whether that was possible, or is not worth it. */
  derive({ family, name }: NameHash, template: Template, match: Comparison, object: Json, end: number, changes: boolean): boolean {
    const isKept = this.makeRoom(template.size, changes);
    if (changes && !isKept) return true;
    const derived = template.derived(name, match, object, end);
    if (derived === undefined) return false;
    derived.isUsed = changes;
    this.take(family, derived);
    if (isKept) this.keep(family, derived, true);
    return true;
  }

  /** The next objects may be like it: those of its family follow in a list, whether there is room to keep it or not. */
  private take(family: number, template: Template): void {
    template.seen = this.list;
    this.newest = template;
    this.newestFamily = family;
    this.use.made();
  }

  private keep(family: number, template: Template, isShape: boolean): void {
    const known = this.familyOf(family);
    // An object that has another shape now may soon have the one before again.
    if (template.isUsed) for (const other of known.templates) this.kept.used(other);
    if (isShape) {
      this.addShape(known, template);
    } else {
      this.drop(this.own.get(template.name));
      this.own.set(template.name, template);
    }
    this.kept.add(template, known);
    this.dropOldest(0);
  }

  /** An object is gone. */
  forget({ family, name }: NameHash): void {
    this.drop(this.own.get(name));
    const known = this.families.get(family);
    if (known === undefined) return;
    known.live -= 1;
    if (known.live <= 0) this.dropFamily(family, known);
  }

  /** A list begins. */
  beginList(): void {
    this.list += 1;
    this.listed = { family: -1, count: 0 };
    this.singles = 0;
  }

  /** The list is complete: whatever did not come in it, or after its beginning, is gone. */
  endList(): void {
    for (const [family, known] of this.families) if (known.seen !== this.list) this.dropFamily(family, known);
    for (const template of this.own.values()) if (template.seen !== this.list) this.drop(template);
  }

  /** The family, if it has templates. */
  private shapesOf(family: number): Family | undefined {
    const known = this.families.get(family);
    return known === undefined || known.templates.length === 0 ? undefined : known;
  }

  private familyOf(family: number): Family {
    let known = this.families.get(family);
    if (known === undefined) {
      const live = this.listed.family === family ? this.listed.count : 1;
      this.families.set(family, (known = new Family(live, this.list)));
    }
    return known;
  }

  /** A family of one has one shape, its newest. */
  private addShape(family: Family, template: Template): void {
    const { templates, live } = family;
    // The version before was so different that it was not compared.
    if (live <= 1 && templates[0]?.name === template.name) this.failed();
    while (templates.length >= Math.min(maxShapes, Math.max(1, live))) this.drop(templates[0]);
    templates.push(template);
  }

  /** An object was not like its version before. */
  private failed(): void {
    if (!this.use.failed()) return;
    for (const template of this.kept.all()) this.drop(template);
  }

  /** Makes room for about so many bytes. Returns whether there is any. */
  private makeRoom(added: number, changes: boolean): boolean {
    const { kept } = this;
    if (kept.hasRoom(added)) return true;
    if (!kept.mayReplace(changes)) return false;
    this.dropOldest(added);
    return true;
  }

  private dropOldest(added: number): void {
    for (const oldest of this.kept.all()) {
      if (this.kept.hasRoom(added)) return;
      this.drop(oldest);
    }
  }

  /** How many objects its family has stays known. */
  private drop(template: Template | undefined): void {
    if (template === undefined) return;
    if (this.newest === template) this.newest = undefined;
    const family = this.kept.delete(template);
    if (family === undefined) return;
    if (this.own.get(template.name) === template) this.own.delete(template.name);
    else family.templates.splice(family.templates.indexOf(template), 1);
  }

  private dropFamily(family: number, known: Family): void {
    for (const template of [...known.templates]) this.drop(template);
    this.families.delete(family);
  }
}
