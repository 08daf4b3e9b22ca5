import { commentOf } from './commentOf.js';
import { literalOf } from './literalOf.js';

/**
 * A property of an interface or of an object type, with its comment.
 */
export interface Property {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly comment: string;
}

/**
 * The lines of a property.
 */
export function propertyLines({ name, type, isRequired, comment }: Property, indent: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literalOf(name);
  return `${commentOf(comment, indent)}${indent}readonly ${key}${isRequired ? '' : '?'}: ${type};\n`;
}
