import { deepFreeze } from '../../api/deepFreeze.js';
import type { Comparison } from './differences.js';
import { LayoutReader, type JsonLayout } from './jsonLayout.js';
import type { NameHash } from './nameHash.js';
import { Template, type TemplateText } from './template.js';

type Json = Readonly<Record<string, unknown>>;

/** What templates may take, in bytes. */
const maxBytes = 32 * 1024 * 1024;
/** When there is no room, one of so many new templates takes the place of the oldest one: others are likelier to be of use than it is. */
const turnover = 8;
const maxLayouts = 64;
/** Templates of one family: a pod that waits is not like one that runs. */
const maxShapes = 8;
/** Objects of one shape differ in their length by less than one part of so many. */
const lengthTolerance = 100;
/** After so many objects of a family that were not like its template, or families of one, only one of so many is looked at. */
const maxMisfits = 3;
const sampled = 32;
/** What it counts that an object was like its own version before, or like its family, and that it was not. Below zero, few templates are made. */
const fit = 1;
const misfit = 2;
const mostScore = 64;
const leastScore = -4;
/** So many templates may be made before any of them has been of use; each time that one is, so many more. */
const maxUnproven = 512;
const proof = 8;

/** Objects whose names are alike up to the last dash, as those of the replicas of one owner are. */
interface Family {
  readonly templates: Template[];
  /** How many objects it has, as far as is known. */
  live: number;
  /** How many of its objects in a row were not like its template. */
  misfits: number;
  /** In which list, or after which one, an object of it came last. */
  seen: number;
}

/** Holds nothing between two calls, so that one is enough for all. */
let layoutReader: LayoutReader | undefined;

/**
 * What objects of one type are compared with: one template for each shape of a family, and one for each object that changes and is not like its family.
 */
export class Templates {
  private readonly families = new Map<number, Family>();
  private readonly own = new Map<number, Template>();
  private layouts: readonly JsonLayout[] = [];
  private bytes = 0;
  private refused = 0;
  /** Whether comparing has been of use. */
  private score = 2 * misfit;
  private unproven = 0;
  private passed = 0;
  /** Counts the lists. */
  private list = 0;
  private listed = { family: -1, count: 0 };
  /** How many families in a row had one object only, in a list. */
  private singles = 0;

  /** What to compare an object with: one of its own versions, or one of its family of about its length, if that is known. */
  find({ family, name }: NameHash, span: number | undefined): Template | undefined {
    const own = this.own.get(name);
    if (own !== undefined) return own;
    const known = this.families.get(family);
    if (known === undefined || known.templates.length === 0) return undefined;
    if (known.misfits > maxMisfits) {
      known.misfits += 1;
      if (known.misfits % sampled !== 0) return undefined;
    }
    return span === undefined ? known.templates.at(-1) : this.nearest(known, span);
  }

  /** An object of this name was listed or added. */
  count({ family }: NameHash, isListed: boolean): void {
    const known = this.families.get(family);
    if (known !== undefined) {
      if (known.seen !== this.list && isListed) known.live = 0;
      known.seen = this.list;
      known.live += 1;
    }
    if (!isListed) return;
    if (this.listed.family === family) {
      this.listed.count += 1;
      return;
    }
    this.singles = this.listed.count === 1 ? this.singles + 1 : 0;
    this.listed = { family, count: 1 };
  }

  /** The object was like the template, of which it may be a later version. */
  fitted(template: Template, { family, name }: NameHash, changes: boolean, match: Comparison, object: Json, end: number): void {
    this.score = Math.min(mostScore, this.score + fit);
    this.unproven = Math.max(0, this.unproven - proof);
    const known = this.families.get(family);
    template.seen = this.list;
    const isOwn = this.own.get(name) === template;
    if (!isOwn && known !== undefined) known.misfits = 0;
    // The template of a family of one is that one's last version.
    const isFollowed = isOwn || (template.name === name && known !== undefined && known.live <= 1);
    if (!changes || !isFollowed || template.advance(match, object, end)) return;
    if (isOwn) this.dropOwn(name);
    else this.dropShape(known as Family, template);
  }

  /** The object was not like the template. */
  misfitted(template: Template, { family, name }: NameHash): void {
    const known = this.families.get(family);
    const isOwn = template.name === name;
    if (isOwn) this.failed();
    if (this.own.get(name) === template) this.dropOwn(name);
    else if (known !== undefined && isOwn) this.dropShape(known, template);
    else if (known !== undefined) known.misfits += 1;
  }

  /** Whether a template is to be made of an object that was parsed, and not like what it was compared with. */
  wants({ family }: NameHash, isListed: boolean): boolean {
    if (isListed && this.singles > maxMisfits && this.listed.count < 2) return false;
    if (isListed && (this.families.get(family)?.templates.length ?? 0) > 0) return false;
    if (this.score >= 0 && this.unproven <= maxUnproven) return true;
    this.passed += 1;
    return this.passed % sampled === 0;
  }

  /** Makes the template of an object that was parsed: of a shape of its family, if that has none like it, or else of its own. */
  make({ family, name }: NameHash, text: TemplateText, span: number, object: Json, changes: boolean): void {
    const known = this.families.get(family);
    const isShape = known === undefined || this.nearest(known, span) === undefined;
    if (!isShape && !changes) return;
    const reader = (layoutReader ??= new LayoutReader());
    if (!reader.read(text.bytes, text.length, object)) return;
    const layout = reader.layout(this.layouts);
    if (!this.layouts.includes(layout)) this.layouts = [layout, ...this.layouts].slice(0, maxLayouts);
    const template = new Template(deepFreeze(object), name, layout, text, reader.starts, span);
    template.seen = this.list;
    if (!this.makeRoom(template.size)) return;
    this.unproven += 1;
    if (!isShape) {
      this.dropOwn(name);
      this.own.set(name, template);
    } else {
      this.addShape(this.familyOf(family), template);
    }
    this.bytes += template.size;
  }

  /** An object is gone. */
  forget({ family, name }: NameHash): void {
    this.dropOwn(name);
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
    for (const [name, template] of this.own) if (template.seen !== this.list) this.dropOwn(name);
  }

  private familyOf(family: number): Family {
    let known = this.families.get(family);
    if (known === undefined) {
      const live = this.listed.family === family ? this.listed.count : 1;
      this.families.set(family, (known = { templates: [], live, misfits: 0, seen: this.list }));
    }
    return known;
  }

  /** A family of one has one shape, its newest. */
  private addShape(family: Family, template: Template): void {
    const { templates, live } = family;
    // The version before was so different that it was not compared.
    if (live <= 1 && templates[0]?.name === template.name) this.failed();
    while (templates.length >= Math.min(maxShapes, Math.max(1, live))) this.dropShape(family, templates[0] as Template);
    templates.push(template);
  }

  /** An object was not like its version before. */
  private failed(): void {
    this.score = Math.max(leastScore, this.score - misfit);
    if (this.score >= 0) return;
    for (const [family, known] of this.families) this.dropFamily(family, known);
    for (const name of this.own.keys()) this.dropOwn(name);
  }

  private nearest({ templates }: Family, span: number): Template | undefined {
    let nearest: Template | undefined;
    let distance = span / lengthTolerance;
    for (const template of templates) {
      const away = Math.abs(template.span - span);
      if (away > distance) continue;
      nearest = template;
      distance = away;
    }
    return nearest;
  }

  /** Makes room for so many bytes; returns whether there is any. */
  private makeRoom(added: number): boolean {
    if (this.bytes + added <= maxBytes) return true;
    this.refused += 1;
    if (this.refused % turnover !== 0) return false;
    for (const name of this.own.keys()) {
      if (this.bytes + added <= maxBytes) return true;
      this.dropOwn(name);
    }
    for (const [family, known] of this.families) {
      if (this.bytes + added <= maxBytes) return true;
      this.dropFamily(family, known);
    }
    return this.bytes + added <= maxBytes;
  }

  private dropOwn(name: number): void {
    const template = this.own.get(name);
    if (template === undefined) return;
    this.bytes -= template.size;
    this.own.delete(name);
  }

  private dropShape(family: Family, template: Template): void {
    const at = family.templates.indexOf(template);
    if (at === -1) return;
    this.bytes -= template.size;
    family.templates.splice(at, 1);
  }

  private dropFamily(family: number, { templates }: Family): void {
    for (const { size } of templates) this.bytes -= size;
    this.families.delete(family);
  }
}
