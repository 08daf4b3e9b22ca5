import type { Status } from '../../api/errors/apiError.js';

/** A map of strings as Go prints it. */
function goMap(json: string): string {
  const pairs = Object.entries(JSON.parse(json) as Record<string, string>);
  return `map[string]string{${pairs.map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`).join(', ')}}`;
}

function goSelector(labels: string): string {
  return `v1.LabelSelector{MatchLabels:${goMap(labels)}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}`;
}

/** Messages that differ in servers up to 1.26. */
const changes: readonly (readonly [RegExp, string | ((found: string, part: string) => string)])[] = [
  [/\n\nAvailable representations: .*$/s, ''],
  [/(media types (?:are accepted|include): .*), application\/vnd\.kubernetes\.protobuf.*$/s, '$1'],
  [
    /^error decoding patch: json: cannot unmarshal (\w+) into Go value of type \[\]handlers\.jsonPatchOp/,
    'json: cannot unmarshal $1 into Go value of type jsonpatch.Patch',
  ],
  [/^invalid object type: \/, Kind=$/, 'Incorrect version specified in apply patch. Specified patch version: , expected: v1'],
  [/(?<=does not recognize this encoded version )(\S+)$/, '"$1"'],
  [/Invalid value: 0: must be specified for an update/g, 'Invalid value: 0x0: must be specified for an update'],
  [/Unsupported value: \[("[^\]]*")\]: supported values: "All"/g, 'Unsupported value: []string{$1}: supported values: "All"'],
  [/(?<=Invalid value: )(\{"[^{}]*\})(?=: `selector` does not match)/g, (_, labels) => goMap(labels)],
  [/(?<=Invalid value: )\{"matchLabels":(\{[^{}]*\})\}(?=: field is immutable)/g, (_, labels) => goSelector(labels)],
];

function olderText(text: string): string {
  // Two calls for the type checker: neither overload accepts both kinds of replacement.
  return changes.reduce(
    (current, [pattern, words]) => (typeof words === 'string' ? current.replace(pattern, words) : current.replace(pattern, words)),
    text,
  );
}

/** A Status with the messages of servers up to 1.26. */
export function inOlderWords<T extends Pick<Status, 'message' | 'details'>>(status: T): T {
  const { message, details } = status;
  // Older servers listed equal causes once.
  const once = new Map(details?.causes?.map((cause) => [JSON.stringify(cause), cause]));
  const causes =
    details?.causes &&
    [...once.values()].map((cause) => ({ ...cause, ...(cause.message !== undefined && { message: olderText(cause.message) }) }));
  return {
    ...status,
    ...(message !== undefined && { message: olderText(message) }),
    ...(causes !== undefined && { details: { ...details, causes } }),
  };
}
