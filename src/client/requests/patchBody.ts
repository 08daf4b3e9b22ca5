import { isRecord } from '../decode/parseObject.js';
import type { PatchOptions, PatchType } from '../kubeClient.js';

/** The content types of patches, by the name that this library gives them. */
const contentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** What a patch is about. */
interface PatchSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

function checkOptions(type: PatchType, { force, fieldManager }: PatchOptions): void {
  if (type === 'apply' && (fieldManager === undefined || fieldManager === '')) {
    throw new TypeError("Expected a `fieldManager` for a patch of type 'apply': the name under which this program owns fields, got none");
  }
  if (type !== 'apply' && force !== undefined)
    throw new TypeError(`Expected \`force\` only for a patch of type 'apply', got it for '${type}'`);
}

/** An apply patch must say what it applies to; what is left out is known here. */
function applied(patch: Record<string, unknown>, { apiVersion, kind, name }: PatchSubject): object {
  const metadata = isRecord(patch['metadata']) ? patch['metadata'] : {};
  return { apiVersion, kind, ...patch, metadata: { name, ...metadata } };
}

/**
 * The body and the headers of a PATCH. An apply patch may be given as YAML text.
 *
 * @throws TypeError when the patch or the options do not fit the type.
 */
export function patchBody(
  type: PatchType,
  patch: unknown,
  options: PatchOptions,
  subject: PatchSubject,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  if (!Object.hasOwn(contentTypes, type))
    throw new TypeError(`Expected the type of a patch to be json, merge, strategic or apply, got ${JSON.stringify(type)}`);
  checkOptions(type, options);
  const headers = { 'content-type': contentTypes[type] };
  if (type === 'apply' && typeof patch === 'string') return { body: patch, headers };
  if (type === 'json' ? !Array.isArray(patch) : !isRecord(patch)) {
    const got = Array.isArray(patch) ? 'an array' : patch === null ? 'null' : typeof patch;
    throw new TypeError(`Expected a patch of type '${type}' to be ${type === 'json' ? 'an array of operations' : 'an object'}, got ${got}`);
  }
  return { body: JSON.stringify(type === 'apply' && isRecord(patch) ? applied(patch, subject) : patch), headers };
}
