/**
 * The memory of a cached pod, byte by byte: an informer fills its cache, and the heap snapshots before and after are compared.
 *
 * `npm run bench -- podBytes [pods]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from './compile.js';
import { equalStrings } from './equalStrings.js';
import { heapHolders } from './heapHolders.js';
import { type HeapSnapshot, readHeapSnapshot } from './heapSnapshot.js';
import { type ObjectNodes, objectNodes } from './objectNodes.js';
import { printColumns } from './printColumns.js';
import { type Figures, runSide } from './runSide.js';
import { startPodServer } from './startPodServer.js';
import { Sums } from './sums.js';

const defaultPods = 7_000;
const warmUpPods = 500;
const replicas = 7;
/** The number of rows of each list below the table. */
const most = 10;

const kinds = ['strings', 'objects', 'property stores', 'elements, tables', 'boxed numbers', 'hidden classes', 'code', 'other'] as const;
type Kind = (typeof kinds)[number];

const columns = ['of one pod', `of 2 to ${replicas}`, 'of more', 'cache', 'client', 'other rooms', 'the rest'] as const;
type Column = (typeof columns)[number];

function kindOf(snapshot: HeapSnapshot, node: number): Kind | 'outside' | 'not of V8' {
  const name = snapshot.name(node);
  // The fields of an object that do not fit into the object itself, as an array or as a hash table.
  if (name === 'system / PropertyArray' || name === '(object properties)') return 'property stores';
  const type = snapshot.type(node);
  if (type.endsWith('string')) return 'strings';
  switch (type) {
    case 'object':
    case 'closure':
      return 'objects';
    case 'array':
      return 'elements, tables';
    case 'number':
      return 'boxed numbers';
    case 'object shape':
      return 'hidden classes';
    case 'code':
      return 'code';
    case 'native':
      // Memory of typed arrays and the like; memory that Node reports for itself is not counted.
      return name.startsWith('system / ') ? 'outside' : 'not of V8';
    default:
      return 'other';
  }
}

function columnOf(sharers: number, holder: string | undefined): Column {
  if (sharers === 1) return 'of one pod';
  if (sharers > 1) return sharers <= replicas ? `of 2 to ${replicas}` : 'of more';
  if (holder === undefined) return 'the rest';
  const [room] = holder.split('/');
  return room === 'cache' || room === 'client' ? room : 'other rooms';
}

function nodesOf(snapshot: HeapSnapshot): readonly number[] {
  return Array.from({ length: snapshot.count }, (_, node) => node);
}

/** The bytes of these nodes, in the heap and outside of it. */
function bytesOf(snapshot: HeapSnapshot, nodes: Iterable<number>): Record<'heap' | 'outside', number> {
  const bytes = { heap: 0, outside: 0 };
  for (const node of nodes) {
    const kind = kindOf(snapshot, node);
    if (kind !== 'not of V8') bytes[kind === 'outside' ? 'outside' : 'heap'] += snapshot.size(node);
  }
  return bytes;
}

/** The cached objects, and the nodes that the side has created to mark them. */
function cachedObjects(snapshot: HeapSnapshot): { readonly objects: readonly number[]; readonly tool: ReadonlySet<number> } {
  const marker = nodesOf(snapshot).find((node) => snapshot.type(node) === 'object' && snapshot.name(node) === 'CachedObjects');
  const array = marker === undefined ? undefined : snapshot.target(marker, 'objects');
  if (marker === undefined || array === undefined) throw new Error('The snapshot does not show where the cached objects are');
  const objects: number[] = [];
  snapshot.edges(array, (type, _, to) => {
    if (type === 'element') objects.push(to);
  });
  return { objects, tool: new Set([marker, array, snapshot.target(array, 'elements') ?? array]) };
}

class PodBytes {
  private readonly pods: number;
  private readonly snapshot: HeapSnapshot;
  private readonly nodes: readonly number[];
  private readonly parts: ObjectNodes;
  private readonly holders: ReadonlyMap<number, string>;
  private readonly added: Record<'heap' | 'outside', number>;
  /** The bytes of nodes that are missing in the second snapshot. */
  private readonly gone: Record<'heap' | 'outside', number>;

  constructor(before: HeapSnapshot, after: HeapSnapshot) {
    const old = new Set(nodesOf(before).map((node) => before.id(node)));
    const { objects, tool } = cachedObjects(after);
    const isAdded = (node: number): boolean => !old.has(after.id(node)) && !tool.has(node);
    this.pods = objects.length;
    this.snapshot = after;
    this.nodes = nodesOf(after).filter(isAdded);
    this.parts = objectNodes(after, objects, isAdded);
    this.holders = heapHolders(after, (node) => isAdded(node) && this.parts.sharers[node] === 0);
    this.added = bytesOf(after, this.nodes);
    const [first, last, forTool] = [bytesOf(before, nodesOf(before)), bytesOf(after, nodesOf(after)), bytesOf(after, tool)];
    this.gone = {
      heap: first.heap + this.added.heap + forTool.heap - last.heap,
      outside: first.outside + this.added.outside - last.outside,
    };
  }

  /** Prints the report, with the growth that the process itself reports. */
  print({ heapUsed = NaN, external = NaN }: Figures): void {
    const cells = new Sums<string>();
    const byHolder = new Sums<string>();
    const outside = new Sums<string>();
    const objects = new Sums<string>();
    const strings = new Sums<string>();
    for (const node of this.nodes) {
      const size = this.snapshot.size(node);
      const kind = kindOf(this.snapshot, node);
      const sharers = this.parts.sharers[node] ?? 0;
      if (kind === 'not of V8') continue;
      if (kind === 'outside') {
        outside.add(this.placeOf(node), size);
        continue;
      }
      cells.add([columnOf(sharers, this.holders.get(node)), kind].join(), size);
      if (sharers === 0) byHolder.add(this.placeOf(node), size);
      else (kind === 'strings' ? strings : objects).add(this.placeOf(node), size);
    }
    console.log('Parts of pods, by how many pods share them; what is in no pod, by the room that holds it.');
    this.printCells(cells);
    this.printCheck(heapUsed, external);
    this.printLargest('Objects and arrays of the pods, by the field in which they were found first', objects);
    this.printLargest('Strings of the pods, by the field in which they were found first', strings);
    this.printLargest('In the heap, and not in a pod, by the file that holds it', byHolder);
    this.printLargest('Outside the heap, by the file that holds it', outside);
    this.printEqual();
  }

  /** The field of the pods in which a node is, or else the file that holds it. */
  private placeOf(node: number): string {
    return this.parts.fields.get(node) ?? this.holders.get(node) ?? 'the rest';
  }

  private printCheck(heapUsed: number, external: number): void {
    const { added, gone } = this;
    console.log('');
    printColumns([
      ['check, bytes per pod', 'added', 'gone', 'difference', 'process.memoryUsage()', 'not in the snapshots'],
      ...(
        [
          ['in the heap', added.heap, gone.heap, heapUsed],
          ['outside', added.outside, gone.outside, external],
        ] as const
      ).map(([name, came, went, measured]) => [
        name,
        ...[came, -went, came - went, measured, measured - came + went].map((bytes) => this.perPod(bytes)),
      ]),
    ]);
  }

  private perPod(bytes: number): string {
    return (bytes / this.pods).toFixed(1);
  }

  private printCells(cells: Sums<string>): void {
    const row = (name: string, values: readonly number[]): readonly string[] => {
      const sum = values.reduce((total, value) => total + value, 0);
      return [name, ...[...values, sum].map((value) => this.perPod(value))];
    };
    const of = (column: Column, kind: Kind): number => cells.of([column, kind].join());
    printColumns([
      [`bytes per pod, of ${this.pods}`, ...columns, 'sum'],
      ...kinds.map((kind) =>
        row(
          kind,
          columns.map((column) => of(column, kind)),
        ),
      ),
      row(
        'sum',
        columns.map((column) => kinds.reduce((sum, kind) => sum + of(column, kind), 0)),
      ),
    ]);
  }

  private printLargest(title: string, sums: Sums<string>): void {
    console.log(`\n${title}`);
    printColumns(sums.largest(most).map(([name, bytes]) => [`  ${name}`, this.perPod(bytes)]));
  }

  private printEqual(): void {
    const groups = equalStrings(this.snapshot, this.nodes);
    const all = groups.reduce((sum, { bytes }) => sum + bytes, 0);
    const copies = groups.reduce((sum, group) => sum + group.copies, 0);
    console.log(
      `\nStrings with the same content: ${groups.length}, in ${copies} copies; one of each would save ${this.perPod(all)} bytes per pod`,
    );
    printColumns(
      groups.slice(0, most).map((group) => [`  ${JSON.stringify(group.content)}`, `${group.copies} copies`, this.perPod(group.bytes)]),
    );
    const byField = new Sums<string>();
    const rest = new Map<string, number>(groups.map(({ content }) => [content, 1]));
    for (const node of this.nodes) {
      if (this.snapshot.type(node) !== 'string') continue;
      const first = rest.get(this.snapshot.name(node));
      if (first === undefined) continue;
      // One copy has to stay.
      if (first === 1) rest.set(this.snapshot.name(node), 0);
      else byField.add(this.placeOf(node), this.snapshot.size(node));
    }
    this.printLargest('The same by field, or by holder', byField);
  }
}

async function measure(pods: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'podBytes-'));
  const server = await startPodServer();
  try {
    await server.prepare('paged', pods);
    await server.prepare('paged', warmUpPods);
    const options = { url: server.url('paged', pods), warmUpUrl: server.url('paged', warmUpPods), folder };
    const figures = await runSide('podBytes', options);
    new PodBytes(readHeapSnapshot(join(folder, 'before')), readHeapSnapshot(join(folder, 'after'))).print(figures);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const pods = Number(process.argv[2] ?? defaultPods);
if (!(pods >= 1)) throw new TypeError(`Expected a number of pods, got ${String(process.argv[2])}`);
compile();
await measure(pods);
