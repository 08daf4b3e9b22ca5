import { podJson, podName } from './realisticPod.js';

const replicas = 7;
const families = 1_000;
/** Numbers from here on have six digits, so that one number can be overwritten with another. */
const firstFamily = 100_000;
const firstVersion = 1_000_000;
const podsPerPart = 128;

/** The bytes of a pod, and the positions of the texts that differ between pods. */
interface Template {
  readonly bytes: Buffer;
  readonly family: readonly number[];
  readonly owner: readonly number[];
  readonly uid: readonly number[];
  readonly version: readonly number[];
}

interface Pod {
  readonly metadata: { readonly uid: string; readonly ownerReferences: readonly [{ readonly uid: string }] };
}

/** The positions of `text`, each increased by `skipped`. */
function placesOf(text: string, bytes: Buffer, skipped: number): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) places.push(at + skipped);
  return places;
}

function templateOf(at: number): Template {
  const json = podJson(podName(firstFamily * replicas + at), 0, firstVersion, false);
  const { metadata } = JSON.parse(json) as Pod;
  const bytes = Buffer.from(json);
  const version = '"resourceVersion":"';
  return {
    bytes,
    family: placesOf(`-${firstFamily + Math.floor(at / replicas)}`, bytes, 1),
    owner: placesOf(metadata.ownerReferences[0].uid, bytes, 0),
    uid: placesOf(metadata.uid, bytes, 0),
    version: placesOf(version, bytes, version.length),
  };
}

function write(text: string, { bytes }: Template, places: readonly number[]): void {
  for (const place of places) bytes.write(text, place, 'latin1');
}

const hex = (number: number): string => number.toString(16).padStart(8, '0');

let templates: readonly Template[] = [];

/**
 * Generates the items of a list of any length (up to six million pods) without keeping them: 1,000 families of replicas are repeated, each
 * time with other names and another owner. Each part is a number of items separated by commas; all parts except the first begin with a
 * comma. The version of the last pod is at most one million plus `count`.
 */
export function* generatedItems(count: number): Iterable<Buffer> {
  if (templates.length === 0) templates = Array.from({ length: families * replicas }, (_, at) => templateOf(at));
  const comma = Buffer.from(',');
  for (let first = 0; first < count; first += podsPerPart) {
    const parts: Buffer[] = [];
    for (let at = first; at < Math.min(first + podsPerPart, count); at += 1) {
      const template = templates[at % templates.length] as Template;
      const family = Math.floor(at / replicas);
      write(String(firstFamily + family), template, template.family);
      write(hex(family), template, template.owner);
      write(hex(at), template, template.uid);
      write(String(firstVersion + at), template, template.version);
      if (at > 0) parts.push(comma);
      parts.push(template.bytes);
    }
    yield Buffer.concat(parts);
  }
}
