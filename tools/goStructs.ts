/**
 * Reads from the Go modules of Kubernetes what messages of a server show of its own types: the fields of the structs that it prints when a change is refused, in order, and
 * what Go calls the types of fields.
 *
 *   node --import ./tools/register-ts-node.mjs tools/goStructs.ts ~/go/pkg/mod 0.36.3     derives tools/schemas/goStructs-1.36.json; tools/packSchemas.ts is next
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Field {
  /** The name in Go; `''` for a struct that is embedded. */
  readonly name: string;
  readonly type: string;
  /** The name in JSON; undefined without a tag. */
  readonly json: string | undefined;
  readonly optional: boolean;
}

const [modules = '', version = ''] = process.argv.slice(2);
const internal = `k8s.io/kubernetes@v1.${version.slice(2)}/pkg/apis`;
const groups = [
  'core',
  'apps',
  'batch',
  'networking',
  'storage',
  'policy',
  'rbac',
  'resource',
  'certificates',
  'autoscaling',
  'scheduling',
];

const structs = new Map<string, readonly Field[]>();
const named = new Map<string, string>();

function read(path: string, home: string): void {
  const text = readFileSync(join(modules, path), 'utf8').replace(/\/\*.*?\*\//gs, '');
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    const fields = [...body.matchAll(/^\t(?:(\w+)[ \t]+)?([\w.*[\]]+)(?:[ \t]+`(?:[^`]*?json:"([^"]*)")?[^`]*`)?[ \t]*(?:\/\/.*)?$/gm)].map(
      ([, field = '', type = '', tag]): Field => {
        const [json = '', ...options] = tag?.split(',') ?? [];
        const inline = options.includes('inline') || (tag !== undefined && json === '');
        return {
          name: inline ? '' : field,
          type,
          json: tag === undefined || inline ? undefined : json,
          optional: options.includes('omitempty') || options.includes('omitzero'),
        };
      },
    );
    structs.set(`${home}.${name}`, fields);
  }
  for (const [, name = '', target = ''] of text.matchAll(/^type (\w+) (string|bool|int\d*|\[\][\w.]+|map\[.*)$/gm))
    named.set(`${home}.${name}`, target);
}

for (const group of groups) read(`${internal}/${group}/types.go`, group);
read(`k8s.io/apimachinery@v${version}/pkg/apis/meta/v1/types.go`, 'metav1');
/** The structs as they are served, by group and version. */
const servedHomes = new Map<string, string>();
for (const group of readdirSync(join(modules, `k8s.io/api@v${version}`), { withFileTypes: true }).filter((one) => one.isDirectory()))
  for (const folder of readdirSync(join(modules, `k8s.io/api@v${version}`, group.name)).filter((one) => /^v\d/.test(one)))
    for (const file of readdirSync(join(modules, `k8s.io/api@v${version}`, group.name, folder)).filter((one) =>
      /^types\w*\.go$/.test(one),
    )) {
      read(`k8s.io/api@v${version}/${group.name}/${folder}/${file}`, `${group.name}/${folder}`);
      servedHomes.set(`${group.name}/${folder}`, `io.k8s.api.${group.name}.${folder}`);
    }
servedHomes.set('metav1', 'io.k8s.apimachinery.pkg.apis.meta.v1');

const aliases: Readonly<Record<string, string>> = { api: 'core', v1: 'core/v1', corev1: 'core/v1' };

function fullName(type: string, home: string): string {
  const [name = '', alias] = type.split('.').reverse();
  if (alias === undefined) return `${home}.${name}`;
  if (alias === 'v1' && home.includes('/') && !structs.has(`core/v1.${name}`) && !named.has(`core/v1.${name}`)) return `metav1.${name}`;
  return `${aliases[alias] ?? alias}.${name}`;
}

/** What a type is to the printer: a scalar's kind, or a struct; with `*`, `[]` and `map ` before it. */
function formOf(type: string, home: string): string {
  if (type.startsWith('*')) return `*${formOf(type.slice(1), home)}`;
  if (type === '[]byte') return 'bytes';
  if (type.startsWith('[]')) return `[]${formOf(type.slice(2), home)}`;
  if (type.startsWith('map[')) return `map ${formOf(type.slice(type.indexOf(']') + 1), home)}`;
  if (/(^|\.)Quantity$/.test(type)) return 'quantity';
  if (/(^|\.)IntOrString$/.test(type) || /^u?int\d*$|^float/.test(type)) return 'number';
  if (/(^|\.)(Micro)?Time$|(^|\.)(RawExtension|JSON|FieldsV1|Object)$/.test(type)) return 'any';
  if (type === 'bool' || type === 'string') return type;
  const full = fullName(type, home);
  const other = named.get(full);
  if (other !== undefined) return formOf(other, full.slice(0, full.lastIndexOf('.')));
  return structs.has(full) ? full : 'string';
}

function servedName(home: string, struct: string, field: string): string {
  for (const place of [`${home}/v1`, `${home}/v2`])
    for (const { name, json } of allFields(`${place}.${struct}`)) if (name === field && json !== undefined) return json;
  return `${field.charAt(0).toLowerCase()}${field.slice(1)}`;
}

function allFields(full: string): readonly Field[] {
  const home = full.slice(0, full.lastIndexOf('.'));
  return (structs.get(full) ?? []).flatMap((field) => (field.name === '' ? allFields(fullName(field.type, home)) : [field]));
}

const printed: Record<string, Record<string, string>> = {};

/** Keeps a struct, and those of its fields: for each name that is printed `served name|type`, with `?` for one that may be left out. */
function keep(full: string): void {
  if (printed[full] !== undefined) return;
  const home = full.slice(0, full.lastIndexOf('.'));
  const own: Record<string, string> = {};
  printed[full] = own;
  const add = (struct: string, within = ''): void => {
    for (const { name, type, json, optional } of structs.get(struct) ?? []) {
      if (json === '-') continue;
      const place = struct.slice(0, struct.lastIndexOf('.'));
      if (name === '') {
        // What is in `metadata` where it is served stands beside the other fields here.
        add(fullName(type, place), type === 'metav1.ObjectMeta' ? 'metadata.' : within);
        continue;
      }
      const form = formOf(type, place);
      const shown = json ?? name;
      const served = `${within}${json ?? servedName(place, struct.slice(place.length + 1), name)}`;
      own[shown] = `${served === shown ? '' : served}|${form}${optional ? '?' : ''}`;
      const inner = form.replace(/^(\*|\[\]|map )+/, '');
      if (structs.has(inner)) keep(inner);
    }
  };
  add(full);
  if (home === '') throw new Error(`Expected a package before ${full}`);
}

// Those that are printed whole.
for (const root of [
  'core.PodSpec',
  'core.PodTemplateSpec',
  'core.PersistentVolumeSpec',
  'core.PersistentVolumeSource',
  'core.PersistentVolumeClaimSpec',
  'core.ResourceRequirements',
  'core.ServiceSpec',
  'core.Taint',
  'core.EndpointSubset',
  'core.ObjectReference',
  'core.NodeSpec',
  'core.PodIP',
  'core.ContainerStatus',
  'apps.StatefulSetSpec',
  'batch.PodFailurePolicy',
  'batch.SuccessPolicy',
  'certificates.CertificateSigningRequestCondition',
  'metav1.LabelSelector',
  'networking.ParentReference',
  'rbac.RoleRef',
  'rbac.PolicyRule',
  'rbac.AggregationRule',
  'resource.ResourceClaimSpec',
  'resource.ResourceClaimTemplateSpec',
  'resource.AllocationResult',
  'storage.CSINodeDriver',
  'storage.VolumeAttachmentSpec',
  'storage.TokenRequest',
])
  if (structs.has(root)) keep(root);
  else throw new Error(`Expected a struct ${root}`);

/** The fields of served structs whose types have names of their own, as messages of Go's decoder write them. */
const types: Record<string, Record<string, string>> = {};
for (const [full] of [...structs].sort(([one], [other]) => (one < other ? -1 : 1))) {
  const home = full.slice(0, full.lastIndexOf('.'));
  const place = servedHomes.get(home);
  if (place === undefined) continue;
  const own: Record<string, string> = {};
  const add = (struct: string): void => {
    const at = struct.slice(0, struct.lastIndexOf('.'));
    for (const { name, type, json } of structs.get(struct) ?? []) {
      if (json === undefined) {
        if (name === '' && !/TypeMeta$/.test(type)) add(fullName(type, at));
        continue;
      }
      const [, wrapped = '', bare = ''] = /^((?:\*|\[\]|map\[string\])*)(.*)$/.exec(type) ?? [];
      const target = fullName(bare, at);
      const isNamed = named.has(target) || /^types\./.test(bare);
      if (!isNamed) continue;
      const owner = target.slice(0, target.lastIndexOf('.'));
      const written = /^types\./.test(bare)
        ? bare
        : `${owner === 'metav1' ? 'v1' : (owner.split('/')[1] ?? owner)}.${bare.split('.').at(-1) ?? ''}`;
      own[json] = `${wrapped.replaceAll('*', '')}${written}`;
    }
  };
  add(full);
  if (Object.keys(own).length > 0) types[`${place}.${full.slice(home.length + 1)}`] = own;
}

writeFileSync(new URL('schemas/goStructs-1.36.json', import.meta.url), `${JSON.stringify({ printed, types }, undefined, 2)}\n`);
console.log(
  `${String(Object.keys(printed).length)} structs that are printed, ${String(Object.keys(types).length)} with types of other names`,
);
