import { drawing, element, escapeXml } from './svg.js';

interface Box {
  readonly name: string;
  readonly about: string;
  /** The label of the arrow to the next box. */
  readonly flow?: string;
  /** The text beside it. */
  readonly aside?: string;
}

/** The parts of an informer, from the server down to its subscribers. */
const boxes: readonly Box[] = [
  { name: 'client', about: 'one pool of connections; JSON from bytes', flow: 'list() and watch(): cold Observables' },
  {
    name: 'reflect',
    about: 'lists, watches, resumes, retries',
    flow: 'init  page…  ready  added  modified  deleted',
    aside: 'health$  error$',
  },
  {
    name: 'scanToIndex',
    about: 'changes the cache, then emits the change',
    flow: 'added  updated  deleted  synced',
    aside: 'indexer, lister',
  },
  { name: 'shareWithSnapshot', about: 'the content first, then every change', flow: 'each subscriber at its own time' },
];
const listeners = ['resource$', 'process()', 'handlers', 'index$'];

const width = 430;
const box = { x: 14, width: 268, height: 44 };
const gap = 36;

function down(x: number, from: number, to: number): string {
  return element('path', { class: 'line', d: `M${x} ${from}V${to - 7}` }) + element('path', { class: 'head', d: `M${x} ${to}l-4.5 -9h9z` });
}

function text(x: number, y: number, content: string, kind: 'code' | 'name' | 'text', size: number, anchor = 'middle'): string {
  return element('text', { class: kind, x, y, 'font-size': size, 'text-anchor': anchor }, escapeXml(content));
}

/** Draws the parts of an informer and the messages between them, as SVG. */
export function drawPipeline(title: string): string {
  const parts: string[] = [];
  const middle = box.x + box.width / 2;
  let top = 14;
  for (const { name, about, flow, aside } of boxes) {
    parts.push(element('rect', { class: 'box', x: box.x, y: top, width: box.width, height: box.height, rx: 6 }));
    parts.push(text(middle, top + 19, name, 'code', 13), text(middle, top + 35, about, 'name', 11.5));
    if (aside !== undefined) {
      const [right, y] = [box.x + box.width, top + box.height / 2];
      parts.push(element('path', { class: 'line dashed', d: `M${right} ${y}h14` }));
      parts.push(text(right + 18, y + 4, aside, 'code', 11.5, 'start'));
    }
    top += box.height;
    if (flow !== undefined) parts.push(down(24, top, top + gap), text(34, top + 22, flow, 'text', 11.5, 'start'));
    top += gap;
  }
  const each = (width - 2 * box.x - (listeners.length - 1) * 8) / listeners.length;
  for (const [at, name] of listeners.entries()) {
    const x = box.x + at * (each + 8);
    parts.push(element('rect', { class: 'marble k0', x, y: top, width: each, height: 28, rx: 14 }));
    parts.push(text(x + each / 2, top + 18, name, 'code', 11.5));
  }
  return drawing(width, top + 42, title, parts);
}
