import { derivedTemplate } from './derivedTemplate.js';
import { LayoutReader, maxLayoutBytes, type JsonLayout } from './jsonLayout.js';
import type { NameHash } from './nameHash.js';
import { Template, type TemplateText } from './template.js';
import type { TemplateMatch } from './templateMatch.js';

type Json = Readonly<Record<string, unknown>>;

/** What templates may take, in bytes: those of some 6,000 owners of pods. */
const maxBytes = 32 * 1024 * 1024;
/**
 * When there is no room, one of so many new templates of a list takes the place of the oldest one: others are likelier to be of use than it is. Those of
 * objects that change always do.
 */
const turnover = 8;
const maxLayouts = 64;
/** After so many objects in a row that it does not describe, a template is replaced, and tried less and less often. */
const maxMisfits = 3;

/** Whether to compare another object after so many that have not fitted: while they are few, and then at powers of two. */
function isTried(misfits: number): boolean {
  return misfits <= maxMisfits || (misfits & (misfits - 1)) === 0;
}

/** Holds nothing between two calls, so that one is enough for all. */
let layoutReader: LayoutReader | undefined;

/** Memory for one template. */
class TemplateMemory {
  bytes: Uint8Array = new Uint8Array(0);
  starts: Uint16Array = new Uint16Array(0);

  /** Makes room for so much JSON and so many values. */
  reserve(length: number, count: number): this {
    if (this.bytes.length < length) this.bytes = new Uint8Array(2 * length);
    if (this.starts.length < count) this.starts = new Uint16Array(2 * count);
    return this;
  }
}

/**
 * Templates by the family of their objects: objects whose names begin alike, as those of the replicas of one owner do.
 *
 * The newest template is kept for the object that comes next. One is kept for longer when a second object of its family comes, or an object that changes.
 */
export class Templates {
  private readonly byFamily = new Map<number, Template>();
  private layouts: readonly JsonLayout[] = [];
  private newest: Template | undefined;
  private newestFamily = 0;
  private lastFamily = 0;
  /** How many objects in a row, whose families have no template, had little in common with the newest one. */
  private misfits = 0;
  /** Memory of the newest template, and for the next one, which may be derived from it. */
  private used = new TemplateMemory();
  private spare = new TemplateMemory();
  private bytes = 0;
  private refused = 0;

  /** What to compare an object of the family with; nothing where that has not been of use. */
  like(family: number): Template | undefined {
    const own = this.byFamily.get(family);
    if (own !== undefined) return isTried(own.misfits) ? own : undefined;
    return isTried(this.misfits) || family === this.lastFamily ? this.newest : undefined;
  }

  /**
   * An object was read.
   *
   * @param fits - whether it is well described by what it was compared with.
   * @param changes - whether other versions of it are expected.
   * @param make - makes a template of it.
   */
  learn(family: number, fits: boolean, changes: boolean, make: () => void): void {
    const own = this.byFamily.get(family);
    if (own === undefined) this.learnFirst(family, fits, changes, make);
    else this.learnMore(own, family, fits, changes, make);
    this.lastFamily = family;
  }

  /** Learns of a family that has a template. */
  private learnMore(own: Template, family: number, fits: boolean, changes: boolean, make: () => void): void {
    const wasTried = isTried(own.misfits);
    own.misfits = fits ? 0 : own.misfits + 1;
    if (own.misfits < maxMisfits || !wasTried) return;
    make();
    this.keep(family, changes);
  }

  /** Learns of a family that has none. */
  private learnFirst(family: number, fits: boolean, changes: boolean, make: () => void): void {
    const isPromising = changes || isTried(this.misfits) || family === this.lastFamily;
    this.misfits = fits ? 0 : this.misfits + 1;
    if (!isPromising) return;
    const isSecond = this.newest !== undefined && this.newestFamily === family;
    if (!isSecond || !fits) make();
    if (isSecond || changes) this.keep(family, changes);
  }

  /** An object is gone: a template that was made of it goes, too. */
  forget({ family, name }: NameHash): void {
    const template = this.byFamily.get(family);
    if (template?.name !== name) return;
    this.bytes -= template.size;
    this.byFamily.delete(family);
  }

  /** Makes the template of an object that was compared with another one; returns whether that was possible. */
  derive(names: NameHash, match: TemplateMatch, object: Json, end: number): boolean {
    const { layout, length } = match.template;
    // With the prefix that its own JSON may lack, and with the managedFields that are left out.
    const most = length + end - match.start;
    if (most > maxLayoutBytes) return false;
    const { bytes, starts } = this.spare.reserve(most, layout.count);
    const template = derivedTemplate(match, object, names.name, end, bytes, starts);
    if (template !== undefined) this.renew(names.family, template);
    return template !== undefined;
  }

  /** Makes the template of an object that was parsed. */
  make({ family, name }: NameHash, { bytes: json, length, cutAt }: TemplateText, object: Json): void {
    const reader = (layoutReader ??= new LayoutReader());
    if (!reader.read(json, length, object)) return;
    const layout = reader.layout(this.layouts);
    if (!this.layouts.includes(layout)) this.layouts = [layout, ...this.layouts].slice(0, maxLayouts);
    const { bytes, starts } = this.spare.reserve(length, layout.count);
    bytes.set(json.subarray(0, length));
    starts.set(reader.starts.subarray(0, layout.count));
    this.renew(family, new Template(object, name, layout, { bytes, length, cutAt }, starts));
  }

  /** Keeps the newest template for its family, if there is room, or `makesRoom`. */
  private keep(family: number, makesRoom: boolean): void {
    const { byFamily, newest } = this;
    if (newest === undefined || this.newestFamily !== family) return;
    const before = byFamily.get(family);
    const added = newest.size - (before?.size ?? 0);
    if (this.bytes + added > maxBytes && before === undefined && !makesRoom) {
      this.refused += 1;
      if (this.refused % turnover !== 0) return;
    }
    const kept = newest.kept();
    kept.misfits = before?.misfits ?? 0;
    byFamily.set(family, kept);
    this.bytes += added;
    for (const [oldest, template] of byFamily) {
      if (this.bytes <= maxBytes) break;
      byFamily.delete(oldest);
      this.bytes -= template.size;
    }
  }

  private renew(family: number, template: Template): void {
    this.newest = template;
    this.newestFamily = family;
    [this.used, this.spare] = [this.spare, this.used];
  }
}
