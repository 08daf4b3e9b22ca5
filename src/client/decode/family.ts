import type { Template } from './template.js';

/** Objects of one shape differ in their length by less than one part of so many. */
const lengthTolerance = 100;

/**
 * Objects whose names are alike up to the last dash, as those of the replicas of one owner are.
 */
export class Family {
  /** One for each shape. */
  readonly templates: Template[] = [];
  /** How many objects it has, as far as is known. */
  live: number;
  /** How many of its objects in a row were not like its template. */
  misfits = 0;
  /** In which list, or after which one, an object of it came last. */
  seen: number;

  constructor(live: number, seen: number) {
    this.live = live;
    this.seen = seen;
  }

  /** The template whose length is nearest to this one, if that is near. */
  nearest(span: number): Template | undefined {
    let nearest: Template | undefined;
    let distance = span / lengthTolerance;
    for (const template of this.templates) {
      const away = Math.abs(template.span - span);
      if (away > distance) continue;
      nearest = template;
      distance = away;
    }
    return nearest;
  }
}
