import type { KubernetesObject } from '../../api/kubernetesObject.js';

/** `REDACTED` in base64, so that what decodes a value still can. */
const redactedData = 'UkVEQUNURUQ=';
const redactedText = 'REDACTED';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

interface WithData extends KubernetesObject {
  readonly data?: unknown;
  readonly stringData?: unknown;
}

function emptied(values: unknown, by: string): unknown {
  if (typeof values !== 'object' || values === null) return values;
  return Object.fromEntries(Object.keys(values).map((name) => [name, by]));
}

/** What may be a Secret: one, the metadata of one, or an object that does not say what it is. */
const suspects: ReadonlySet<string | undefined> = new Set(['Secret', 'PartialObjectMetadata', undefined]);

/**
 * The object without the contents of a Secret: names of entries stay, their values go, and so does kubectl's copy of them in an annotation. An
 * object without a `kind` is taken for a Secret. Any other comes back as it is.
 */
export function redactSecret<T>(object: T): T {
  const { kind, metadata, data, stringData } = object as WithData;
  if (!suspects.has(kind)) return object;
  const annotations = metadata?.annotations;
  return {
    ...object,
    ...(data !== undefined && { data: emptied(data, redactedData) }),
    ...(stringData !== undefined && { stringData: emptied(stringData, redactedText) }),
    ...(annotations?.[lastApplied] !== undefined && {
      metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: redactedText } },
    }),
  };
}
