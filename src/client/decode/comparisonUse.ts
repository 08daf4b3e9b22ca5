/** What it counts that an object was like its own version before, or like its family, and that it was not. Below zero, few templates are made. */
const fit = 1;
const misfit = 2;
const mostScore = 64;
const leastScore = -4;
/** So many templates may be made before any of them has been of use; each time that one is, so many more. */
const maxUnproven = 512;
const proof = 8;
/** After so many objects of lists that were not like any other, several are read at once; now and then so many are compared again. */
const maxIdle = 32;
const probes = 8;

/**
 * Of what has not been of use, one of so many is tried.
 */
export const sampled = 32;

/**
 * Whether comparing objects of one type is of use: known after a few objects, and forgotten again.
 */
export class ComparisonUse {
  private score = 2 * misfit;
  private unproven = 0;
  private refused = 0;
  /** How many objects of lists in a row were not like any other, and how often several were read at once. */
  private idle = 0;
  private skips = 0;

  /** An object was like what it was compared with: a version of its own or one of its family, or else one of another family, which says nothing of versions. */
  fitted(isOwn: boolean): void {
    if (isOwn) this.score = Math.min(mostScore, this.score + fit);
    this.unproven = Math.max(0, this.unproven - proof);
    this.idle = 0;
  }

  /** An object was not like its version before. Returns whether comparing is of no use. */
  failed(): boolean {
    this.score = Math.max(leastScore, this.score - misfit);
    return this.score < 0;
  }

  /** An object of a list was like no other. */
  missed(): void {
    this.idle += 1;
  }

  /** A template was made. */
  made(): void {
    this.unproven += 1;
  }

  /** Whether another template is to be made. */
  wantsMore(): boolean {
    if (this.score >= 0 && this.unproven <= maxUnproven) return true;
    this.refused += 1;
    return this.refused % sampled === 0;
  }

  /** Whether objects of lists have not been like others of late. */
  get isIdle(): boolean {
    return this.idle >= maxIdle;
  }

  /** Several objects of a list were not compared. */
  skipped(): void {
    this.skips += 1;
    if (this.skips % sampled === 0) this.idle = Math.min(this.idle, maxIdle - probes);
  }
}
