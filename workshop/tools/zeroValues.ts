/**
 * Reads from the Go modules of Kubernetes which fields a server always writes, and with what: those without `omitempty`, and structs that are no pointers;
 * and of the others those that are pointers, of which a zero is written too.
 *
 *   GOFLAGS=-mod=mod go mod download k8s.io/api\@v0.36.3 (and apimachinery, apiextensions-apiserver, kube-aggregator)
 *   node --import ./workshop/tools/register-ts-node.mjs workshop/tools/zeroValues.ts ~/go/pkg/mod v0.36.3     derives workshop/tools/schemas/zeroValues-1.36.json; workshop/tools/packSchemas.ts is next
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly inline: boolean;
}

const [modules = '', version = ''] = process.argv.slice(2);
/** The sources of definitions, and the prefixes of their names. */
const sources: readonly (readonly [folder: string, prefix: string])[] = [
  [`k8s.io/api@${version}`, 'io.k8s.api.'],
  [`k8s.io/apimachinery@${version}/pkg/apis/meta/v1`, 'io.k8s.apimachinery.pkg.apis.meta.v1'],
  [`k8s.io/apiextensions-apiserver@${version}/pkg/apis/apiextensions/v1`, 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'],
  [`k8s.io/kube-aggregator@${version}/pkg/apis/apiregistration/v1`, 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1'],
];

/** The structs of each package, and the basic types of named types. */
const structs = new Map<string, readonly Field[]>();
const named = new Map<string, string>();

function readTypes(text: string, prefix: string): void {
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    const fields = [...body.matchAll(/^\t(?:(\w+) )? *([\w.*[\]]+) +`json:"([^"]*)"/gm)].map(([, , type = '', tag = '']): Field => {
      const [json = '', ...options] = tag.split(',');
      const inline = options.includes('inline') || json === '';
      return { name: json, type, optional: options.includes('omitempty') || options.includes('omitzero'), inline };
    });
    structs.set(`${prefix}.${name}`, fields);
    for (const [, json = ''] of body.matchAll(/`json:"([^",]+),[^"]*omitzero/g)) named.set(`${prefix}.${name}#${json}`, 'omitzero');
  }
  for (const [, name = '', target = ''] of text.matchAll(/^type (\w+) (string|bool|int\d*|\[\]\w+|map\[.*)$/gm))
    named.set(`${prefix}.${name}`, target);
}

for (const [folder, prefix] of sources) {
  const root = join(modules, folder);
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const parts = file.split('/');
    if (!/^\w*types\w*\.go$/.test(parts.at(-1) ?? '') || /_test\.go$|zz_/.test(file)) continue;
    if (prefix.endsWith('.') ? parts.length !== 3 : parts.length !== 1) continue;
    readTypes(readFileSync(join(root, file), 'utf8'), prefix.endsWith('.') ? `${prefix}${parts[0] ?? ''}.${parts[1] ?? ''}` : prefix);
  }
}

/** Other packages, by the names under which files import them. */
const imported: Readonly<Record<string, string>> = { v1: 'io.k8s.api.core.v1', metav1: 'io.k8s.apimachinery.pkg.apis.meta.v1' };

function fullName(type: string, home: string): string {
  const [name = '', alias] = type.split('.').reverse();
  if (alias === undefined) return `${home}.${name}`;
  if (alias === 'v1' && !structs.has(`io.k8s.api.core.v1.${name}`)) return `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
  if (alias === 'v1' && home.startsWith('io.k8s.kube-aggregator')) return `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
  const own = imported[alias] ?? `io.k8s.api.${alias.replace(/v\d.*/, '')}.${/v\d.*/.exec(alias)?.[0] ?? ''}`;
  return `${own}.${name}`;
}

const opaque = /(^|\.)(Time|MicroTime|RawExtension|JSON|FieldsV1)$/;
const plain: Readonly<Record<string, unknown>> = { string: '', bool: false };

/** The zero value that Go writes for a type; undefined if it writes nothing. */
function zeroOf(type: string, home: string): unknown {
  if (/^(\*|\[\]|map\[)/.test(type) || opaque.test(type)) return null;
  if (/(^|\.)Quantity$/.test(type)) return '0';
  if (/(^|\.)IntOrString$/.test(type) || /^u?int\d*$|^float/.test(type)) return 0;
  if (type in plain) return plain[type];
  const full = fullName(type, home);
  const other = named.get(full);
  if (other !== undefined) return zeroOf(other, home);
  // String types of other packages, such as types.UID.
  return structs.has(full) ? {} : '';
}

/** The fields of a struct that are always written, with their zero values; nested structs have their own. */
function zerosOf(name: string): readonly (readonly [string, unknown])[] {
  const home = name.slice(0, name.lastIndexOf('.'));
  return (structs.get(name) ?? []).flatMap((field): readonly (readonly [string, unknown])[] => {
    const { type } = field;
    if (field.inline) return /TypeMeta|ObjectMeta|ListMeta/.test(type) ? [] : zerosOf(fullName(type, home));
    if (/ObjectMeta$|ListMeta$/.test(type)) return [[field.name, {}]];
    const struct =
      !/^(\*|\[\]|map\[)/.test(type) &&
      !/IntOrString$|JSON$/.test(type) &&
      (structs.has(fullName(type, home)) || /Quantity$|RawExtension$|(^|\.)(Micro)?Time$/.test(type));
    if (field.optional && (!struct || named.get(`${name}#${field.name}`) === 'omitzero')) return [];
    return [[field.name, zeroOf(type, home)]];
  });
}

/** The scalar fields of a struct that are omitted only when unset: their zero value is written. */
function pointersOf(name: string): readonly string[] {
  const home = name.slice(0, name.lastIndexOf('.'));
  return (structs.get(name) ?? []).flatMap(({ name: field, type, inline, optional }): readonly string[] => {
    if (inline) return /TypeMeta|ObjectMeta|ListMeta/.test(type) ? [] : pointersOf(fullName(type, home));
    const target = type.slice(1);
    return optional && type.startsWith('*') && !structs.has(fullName(target, home)) && !/Quantity$|Time$|IntOrString$/.test(target)
      ? [field]
      : [];
  });
}

const found = [...structs.keys()].sort().flatMap((name) => {
  const zeros = zerosOf(name);
  return zeros.length === 0 || /\.\w+List$/.test(name) ? [] : [[name, Object.fromEntries(zeros)] as const];
});
const pointers = [...structs.keys()].sort().map((name) => [name, pointersOf(name)] as const);
const result = { always: Object.fromEntries(found), pointers: Object.fromEntries(pointers.filter(([, fields]) => fields.length > 0)) };
writeFileSync(new URL('schemas/zeroValues-1.36.json', import.meta.url), `${JSON.stringify(result, undefined, 2)}\n`);
console.log(`${String(found.length)} structs`);
