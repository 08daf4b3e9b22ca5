import type { V1JSONSchemaProps } from '../../api/kubernetes/apiextensionsV1.js';

/**
 * What a comment says of a field: its description, what makes its items unique, and its default.
 */
export function schemaComment(schema: V1JSONSchemaProps): string {
  const { description = '', default: fallback } = schema;
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const notes = [
    ...(type === 'map' && keys.length > 0 ? [`One item for each ${keys.map((key) => `\`${key}\``).join(' and ')}.`] : []),
    ...(type === 'set' ? ['No item twice.'] : []),
    ...(fallback === undefined ? [] : [`Default: \`${JSON.stringify(fallback)}\`.`]),
  ];
  return [description.trim(), notes.join(' ')].filter((text) => text !== '').join('\n');
}
