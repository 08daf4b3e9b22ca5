import type { LoggedRequest } from './requestLog.js';
import type { Warning } from './warnings/warning.js';
import type { Scene, SceneThing } from './scene.js';
import { Timeline, type TimelineEntry } from './timeline.js';

/** The first line of a file that the inspector writes. */
interface InspectionHeader {
  /** The version of the format. */
  readonly inspection: 1;
  readonly title: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly warnings: readonly Warning[];
  readonly requests: readonly LoggedRequest[];
}

/** Every other line of the file. */
type InspectionLine =
  | { readonly thing: SceneThing; readonly keys: readonly string[] }
  | { readonly object: unknown; readonly of: number; readonly key: string }
  | { readonly change: TimelineEntry }
  | { readonly leftOut: number };

/** The limit for objects in the file, in characters: those of the timeline are written first. */
const maxCharacters = 16 * 1024 * 1024;

/** The data of the inspector as lines of JSON. The file contains everything that the page shows. */
export function* inspectionLines(scene: Scene): Generator<string, void> {
  const { title } = scene;
  const header: InspectionHeader = { inspection: 1, title, at: scene.now(), warnings: scene.warnings(), requests: scene.requests() };
  yield JSON.stringify(header);
  const things = scene.things();
  const line = (value: InspectionLine): string => JSON.stringify(value);
  for (const thing of things) yield line({ thing, keys: scene.keys(thing.id) });
  const changes = scene.timeline.entries();
  for (const change of changes) yield line({ change });
  const listed = new Set<string>();
  let room = maxCharacters;
  let leftOut = 0;
  const objects = [
    ...changes.reverse().map(({ of, key }) => [of, key] as const),
    ...things.flatMap(({ id }) => scene.keys(id).map((key) => [id, key] as const)),
  ];
  for (const [of, key] of objects) {
    if (key === undefined || listed.has(`${of} ${key}`)) continue;
    listed.add(`${of} ${key}`);
    const object = scene.object(of, key);
    if (object === undefined) continue;
    const text = room > 0 ? line({ of, key, object }) : '';
    room -= text.length;
    if (text === '') leftOut += 1;
    else yield text;
  }
  if (leftOut > 0) yield line({ leftOut });
}

/** Whether a text is the first line of an inspection file. */
export function isInspection(firstLine: string): boolean {
  return /^\{"inspection":1[,}]/.test(firstLine);
}

/** A scene read from an inspection file. @throws Error for an invalid line. */
export class RecordedScene implements Scene {
  readonly title: string;
  readonly timeline: Timeline;
  private readonly header: InspectionHeader;
  private readonly all = new Map<number, { readonly thing: SceneThing; readonly keys: readonly string[] }>();
  private readonly objects = new Map<string, unknown>();

  constructor(lines: Iterable<string>) {
    this.timeline = new Timeline({ maxBytes: Infinity, now: () => this.header.at });
    let header: InspectionHeader | undefined;
    let number = 0;
    for (const line of lines) {
      number += 1;
      if (line === '') continue;
      try {
        if (header === undefined) header = JSON.parse(line) as InspectionHeader;
        else this.take(JSON.parse(line) as InspectionLine);
      } catch (error) {
        throw new Error(`Expected line ${number} of the inspection to be JSON`, { cause: error });
      }
    }
    if ((header?.inspection as number | undefined) !== 1)
      throw new Error('Expected line 1 to be the header of an inspection, got something else');
    this.header = header as InspectionHeader;
    this.title = `${this.header.title}, as it was at ${new Date(this.header.at).toISOString()}`;
  }

  warnings(): readonly Warning[] {
    return this.header.warnings;
  }

  things(): readonly SceneThing[] {
    return [...this.all.values()].map(({ thing }) => thing);
  }

  keys(id: number): readonly string[] {
    return this.all.get(id)?.keys ?? [];
  }

  object(id: number, key: string): unknown {
    return this.objects.get(`${id} ${key}`);
  }

  explain(): undefined {
    return undefined;
  }

  requests(): readonly LoggedRequest[] {
    return this.header.requests;
  }

  now(): number {
    return this.header.at;
  }

  stop(): void {
    this.timeline.stop();
  }

  private take(line: InspectionLine): void {
    if ('thing' in line) this.all.set(line.thing.id, line);
    else if ('change' in line) this.timeline.restore(line.change);
    else if ('of' in line) this.objects.set(`${line.of} ${line.key}`, line.object);
  }
}
