import type { Json } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import { FieldSet } from './fieldSet.js';
import { entriesOf, isDeclared, isMergedList, isMergedObject, itemsOf } from './fieldWalk.js';
import { fieldElement, type PathElement } from './pathElement.js';

function isHollow(value: Json): boolean {
  return value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);
}

function withMember(set: FieldSet): FieldSet {
  return FieldSet.of(true, set.children);
}

/** The fields that a manager owns after applying a value: its leaves, the entries of its maps and the items of its lists. */
export function fieldsOf(value: Json, shape: FieldShape): FieldSet {
  if (isMergedObject(value, shape)) {
    const children = entriesOf(value).map(([name, inner]): [PathElement, FieldSet] => {
      const fields = fieldsOf(inner, fieldOf(shape, name));
      return [fieldElement(name), isHollow(inner) || !isDeclared(shape, name) ? withMember(fields) : fields];
    });
    return FieldSet.of(false, children);
  }
  if (isMergedList(value, shape)) {
    const children = [...itemsOf(value, shape)].map(([element, items]): [PathElement, FieldSet] => {
      const [item] = items;
      return [element, items.length > 1 || item === undefined ? FieldSet.leaf : withMember(fieldsOf(item, shape.items ?? {}))];
    });
    return FieldSet.of(false, children);
  }
  return FieldSet.leaf;
}
