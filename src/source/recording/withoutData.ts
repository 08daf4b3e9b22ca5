interface MaybeSecret {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: unknown;
  readonly stringData?: unknown;
}

/** The annotation in which `kubectl apply` keeps a copy of the object. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function emptied(values: unknown, by: string): unknown {
  if (values === null) return null;
  return isObject(values) ? Object.fromEntries(Object.keys(values).map((name) => [name, by])) : by;
}

/** A text that may be a copy of an object, as tools keep it in annotations: JSON, or base64 of gzip or ZIP. */
const maybeCopy = /^\s*[{[]|^H4sI|^UEsD/;

/** Masks copies of the object: of a Secret, whatever tool has made them; of any other object, kubectl's. */
function shownAnnotations(annotations: Readonly<Record<string, string>>, isSecret: boolean, text: string): unknown {
  const isCopy = ([name, value]: [string, string]): boolean => name === lastApplied || (isSecret && maybeCopy.test(value));
  return Object.fromEntries(Object.entries(annotations).map((each) => (isCopy(each) ? [each[0], text] : each)));
}

/** The object with `by` in place of each value of its `data`, and `text` in place of other values, also in annotations with a copy of the object. */
export function withoutData(object: MaybeSecret, by: string | undefined, text: string): object {
  const { metadata, data, stringData } = object;
  const annotations = metadata?.annotations;
  return {
    ...object,
    ...(isObject(annotations) && { metadata: { ...metadata, annotations: shownAnnotations(annotations, by !== undefined, text) } }),
    ...(by !== undefined && data !== undefined && { data: emptied(data, by) }),
    ...(by !== undefined && stringData !== undefined && { stringData: emptied(stringData, text) }),
  };
}
