import { fieldSchemaOf, itemsOf, type StructuralSchema } from './structuralSchema.js';

/** The steps of a path such as `.spec.names['a.b'].c`; undefined when the path is invalid. */
function stepsOf(path: string): readonly string[] | undefined {
  const steps: string[] = [];
  const step = /\.([A-Za-z_][\w-]*)|\['([^']+)'\]|\["([^"]+)"\]|\[(\d+)\]/y;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null) return undefined;
    const [, name, single, double, index] = found;
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : `[${index}]`);
  }
  return steps.length === 0 ? undefined : steps;
}

/** The schema of the field at a path; undefined when there is none. */
export function schemaAtPath(schema: StructuralSchema, path: string, withLists: boolean): StructuralSchema | undefined {
  let current: StructuralSchema | undefined = schema;
  for (const step of stepsOf(path) ?? ['']) {
    if (current === undefined) return undefined;
    if (step.startsWith('[')) current = withLists ? itemsOf(current) : undefined;
    else current = fieldSchemaOf(current, step);
  }
  return current;
}
