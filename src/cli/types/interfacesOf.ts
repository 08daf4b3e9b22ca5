import type { V1JSONSchemaProps } from '../../api/kubernetes/apiextensionsV1.js';
import { commentOf } from './commentOf.js';
import { identifierOf } from './identifierOf.js';
import { propertyLines } from './propertyLines.js';
import { schemaComment } from './schemaComment.js';
import { typeOfSchema } from './typeOfSchema.js';

const ofEveryObject = ['apiVersion', 'kind', 'metadata'];

const capital = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** Whether a part is worth an interface of its own. */
const isLarge = (schema: V1JSONSchemaProps): boolean =>
  schema.type === 'object' &&
  schema.nullable !== true &&
  schema['x-kubernetes-embedded-resource'] !== true &&
  Object.keys(schema.properties ?? {}).length > 0;

/**
 * The interfaces of one version of a custom resource: one for the object, and one for each of its large parts, such as `WebSiteSpec`.
 *
 * @param nameOf - finds a name that is not taken yet.
 */
export function interfacesOf(name: string, schema: V1JSONSchemaProps, nameOf: (wanted: string) => string): string {
  const parts: string[] = [];
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {})
    .filter(([property]) => !ofEveryObject.includes(property))
    .map(([property, part]) => {
      const comment = schemaComment(part);
      let type = typeOfSchema(part, '  ');
      if (isLarge(part)) {
        type = nameOf(`${name}${capital(identifierOf(property))}`);
        parts.push(`${commentOf(comment, '')}export interface ${type} ${typeOfSchema(part, '')}\n`);
      }
      return propertyLines({ name: property, type, isRequired: required.has(property), comment }, '  ');
    });
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true ? '  readonly [field: string]: unknown;\n' : '';
  const object = `${commentOf(schema.description ?? '', '')}export interface ${name} extends KubernetesObject {\n${members.join('')}${open}}\n`;
  return [object, ...parts].join('\n');
}
