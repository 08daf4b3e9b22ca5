import { readFileSync } from 'node:fs';

/** The parts of the format that are used here; all of them are arrays of numbers, in rows of fields. */
interface SnapshotJson {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/** Called for each edge of a node, with its type, its name or index, and its target node. */
export type EdgeVisitor = (type: string, name: string | number, to: number) => void;

/**
 * A heap snapshot of V8 as a graph: nodes by number, from 0 on.
 */
export class HeapSnapshot {
  readonly count: number;
  private readonly json: SnapshotJson;
  private readonly nodeFields: number;
  private readonly edgeFields: number;
  /** The position of the first edge of each node, in fields. */
  private readonly firstEdges: Uint32Array;

  constructor(json: SnapshotJson) {
    const { node_fields: nodeFields, edge_fields: edgeFields } = json.snapshot.meta;
    const expected = 'type,name,id,self_size,edge_count';
    if (!nodeFields.join().startsWith(expected) || edgeFields.join() !== 'type,name_or_index,to_node') {
      throw new Error(`Expected a heap snapshot with the node fields ${expected}, got ${nodeFields.join()}`);
    }
    this.json = json;
    this.nodeFields = nodeFields.length;
    this.edgeFields = edgeFields.length;
    this.count = json.nodes.length / this.nodeFields;
    this.firstEdges = new Uint32Array(this.count + 1);
    for (let node = 0; node < this.count; node += 1) {
      this.firstEdges[node + 1] = (this.firstEdges[node] ?? 0) + this.field(node, 4) * this.edgeFields;
    }
  }

  type(node: number): string {
    return this.json.snapshot.meta.node_types[0][this.field(node, 0)] ?? '';
  }

  /** The class of an object, or the content of a string. */
  name(node: number): string {
    return this.json.strings[this.field(node, 1)] ?? '';
  }

  /** The identity of the object, equal in all snapshots of a process. */
  id(node: number): number {
    return this.field(node, 2);
  }

  /** The bytes of the object itself, without referenced objects. */
  size(node: number): number {
    return this.field(node, 3);
  }

  edges(node: number, visit: EdgeVisitor): void {
    const { edges, strings, snapshot } = this.json;
    const types = snapshot.meta.edge_types[0];
    const end = this.firstEdges[node + 1] ?? 0;
    for (let at = this.firstEdges[node] ?? 0; at < end; at += this.edgeFields) {
      const type = types[edges[at] ?? 0] ?? '';
      const name = edges[at + 1] ?? 0;
      const isNumber = type === 'element' || type === 'hidden';
      visit(type, isNumber ? name : (strings[name] ?? ''), (edges[at + 2] ?? 0) / this.nodeFields);
    }
  }

  /** The target of the edge with this name; undefined if there is none. */
  target(node: number, name: string): number | undefined {
    let found: number | undefined;
    this.edges(node, (_, edge, to) => {
      if (edge === name) found = to;
    });
    return found;
  }

  private field(node: number, field: number): number {
    return this.json.nodes[node * this.nodeFields + field] ?? 0;
  }
}

/** Reads a snapshot written by `writeHeapSnapshot` of `node:v8`. */
export function readHeapSnapshot(file: string): HeapSnapshot {
  return new HeapSnapshot(JSON.parse(readFileSync(file, 'utf8')) as SnapshotJson);
}
