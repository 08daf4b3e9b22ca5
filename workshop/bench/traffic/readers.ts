interface Common {
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The number of scalars, objects and arrays in a value. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const key in value) count += countOf((value as Readonly<Record<string, unknown>>)[key]);
  return count;
}

/** The parts of an object that a program reads. */
export type Reader = 'metadata' | 'fields' | 'everything';

/** Reads an object as programs do: its metadata; also its node and readiness; or everything. Each returns the number of values found. */
export const readers: Readonly<Record<Reader, (object: object) => number>> = {
  metadata: (object: object): number => {
    const { name, resourceVersion } = (object as Common).metadata;
    return name.length + resourceVersion.length;
  },
  fields: (object: object): number => {
    const { metadata, spec, status } = object as Common;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    return metadata.name.length + (spec?.nodeName?.length ?? 0) + (ready?.length ?? 0);
  },
  everything: countOf,
};
