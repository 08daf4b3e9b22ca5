import { labelOf } from './labelOf.js';

const svgNamespace = 'http://www.w3.org/2000/svg';
/** The minimum width of a second in pixels. */
const second = 84;
const margin = 18;
const lineHeight = 58;
const stacked = 26;

function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== '') element.textContent = text;
  return element;
}

function colourOf(label: string): string {
  if (/^[+~−=]?a\b/.test(label)) return 'k0';
  if (/^[+~−=]?b\b/.test(label)) return 'k1';
  return ['✓', 'watching'].includes(label) ? 'k3' : 'k2';
}

/** One stream: a line that grows with time, with marbles on it. */
class Lane {
  readonly group = svg('g', {});
  readonly labels: string[] = [];
  private readonly line: SVGPathElement;
  private readonly from: number;
  private isOver = false;
  /** The right edge of the last marble in each row. */
  private readonly rows: number[] = [];

  constructor(name: string, from: number) {
    this.from = from;
    this.line = svg('path', { class: 'line' });
    this.group.append(svg('text', { class: 'name', x: margin, y: 14 }, name), this.line);
  }

  get height(): number {
    return lineHeight + Math.max(0, this.rows.length - 1) * stacked;
  }

  growTo(x: number): void {
    if (!this.isOver) this.line.setAttribute('d', `M${String(this.from)} 34H${String(x)}`);
  }

  marble(x: number, label: string, about: string): void {
    this.labels.push(label);
    const width = Math.max(24, label.length * 7 + 12);
    const left = x - 12;
    const row = this.rows.findIndex((end) => end < left);
    const at = row === -1 ? this.rows.length : row;
    this.rows[at] = left + width + 2;
    const y = 34 + at * stacked;
    const marble = svg('g', { class: `marble ${colourOf(label)}${label.startsWith('−') ? ' gone' : ''}` });
    marble.append(
      svg('title', {}, about),
      svg('rect', { x: left, y: y - 12, width, height: 24, rx: 12 }),
      svg('text', { x: left + width / 2, y: y + 4, 'text-anchor': 'middle' }, label),
    );
    this.group.append(marble);
  }

  end(x: number, error?: unknown): void {
    this.growTo(x);
    this.isOver = true;
    this.labels.push(error === undefined ? '|' : '#');
    this.group.append(
      svg('path', { class: 'line end', d: error === undefined ? `M${String(x)} 20v28` : `M${String(x - 7)} 27l14 14m0 -14l-14 14` }),
    );
  }
}

/** Draws the streams of one run. */
export class Stage {
  private readonly root = svg('svg', { class: 'stage', role: 'img' });
  private readonly lanes = new Map<string, Lane>();
  private readonly started = performance.now();
  private readonly durationSeconds: number;

  constructor(parent: HTMLElement, durationSeconds: number) {
    this.durationSeconds = durationSeconds;
    parent.replaceChildren(this.root);
    this.layOut();
  }

  lane(name: string): { next: (value: unknown) => void; end: (error?: unknown) => void } {
    if (this.lanes.has(name)) throw new Error(`Expected another name than ${JSON.stringify(name)}: a stream of this name is shown already`);
    const lane = new Lane(name, this.x);
    this.lanes.set(name, lane);
    this.root.append(lane.group);
    this.layOut();
    return {
      next: (value) => {
        lane.marble(this.x, labelOf(value), JSON.stringify(value instanceof Map ? [...value.keys()] : value, undefined, 1).slice(0, 2_000));
        this.layOut();
      },
      end: (error) => lane.end(this.x, error),
    };
  }

  /** Draws the current moment; false when the time of the run is over. */
  tick(): boolean {
    for (const lane of this.lanes.values()) lane.growTo(this.x);
    return this.elapsed < this.durationSeconds;
  }

  /** The emitted values in words, for readers who cannot see the picture. */
  inWords(): string {
    return [...this.lanes].map(([name, { labels }]) => `${name}: ${labels.join(', ') || 'nothing'}`).join('\n');
  }

  private get elapsed(): number {
    return Math.min((performance.now() - this.started) / 1_000, this.durationSeconds);
  }

  private get x(): number {
    return Math.round((margin + 12 + this.elapsed * second) * 10) / 10;
  }

  private layOut(): void {
    let top = 6;
    for (const lane of this.lanes.values()) {
      lane.group.setAttribute('transform', `translate(0 ${String(top)})`);
      top += lane.height;
    }
    const width = 2 * margin + 60 + this.durationSeconds * second;
    const height = Math.max(top + 22, 80);
    this.root.setAttribute('viewBox', `0 0 ${String(width)} ${String(height)}`);
    this.root.setAttribute('width', String(width));
    this.root.setAttribute('height', String(height));
    this.root.querySelectorAll('.tick').forEach((tick) => tick.remove());
    for (let at = 0; at <= this.durationSeconds; at += 1) {
      this.root.append(
        svg('text', { class: 'tick', x: margin + 12 + at * second, y: height - 6, 'text-anchor': 'middle' }, `${String(at)} s`),
      );
    }
  }
}
