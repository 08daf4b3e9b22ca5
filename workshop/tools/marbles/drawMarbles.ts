import { TestScheduler } from 'rxjs/testing';
import type { MarblePicture } from '../../../spec/docs/marblePicture.js';
import { drawing, element, escapeXml } from './svg.js';

/** The notifications at one moment. */
interface Moment {
  readonly frame: number;
  readonly values: string[];
  ends?: 'complete' | 'error';
}

interface Stream {
  readonly name: string;
  readonly moments: readonly Moment[];
  /** The frames of its subscription. */
  readonly from: number;
  readonly to: number;
}

const margin = 22;
const radius = 12;
const height = { name: 18, line: 2 * radius + 6, stacked: 2 * radius + 1, box: 30, gap: 8 };

/** Parses marbles like the specs' scheduler in `run`, where a character is a frame. */
function streamOf(name: string, marbles: string, subscription: string | undefined): Stream {
  const messages = TestScheduler.parseMarbles(marbles, undefined, undefined, false, true);
  const moments = new Map<number, Moment>();
  for (const { frame, notification } of messages) {
    const moment = moments.get(frame) ?? { frame, values: [] };
    if (notification.kind === 'N') moment.values.push(String(notification.value));
    else moment.ends = notification.kind === 'C' ? 'complete' : 'error';
    moments.set(frame, moment);
  }
  const from = subscription === undefined ? 0 : TestScheduler.parseMarblesAsSubscriptions(subscription, true).subscribedFrame;
  const all = [...moments.values()];
  const end = all.find(({ ends }) => ends !== undefined);
  return { name, moments: all, from, to: end?.frame ?? Infinity };
}

/** The colour of an object: a, b, others; boundaries have their own. */
function colourOf(label: string): string {
  if (/^[+~−=]?a\b/.test(label)) return 'k0';
  if (/^[+~−=]?b\b/.test(label)) return 'k1';
  return ['ready', 'watch', 'up', '✓'].includes(label) ? 'k3' : 'k2';
}

function marble(label: string, x: number, y: number): string {
  const width = Math.max(2 * radius, label.length * 6.4 + 10);
  const gone = label.startsWith('−') ? ' gone' : '';
  const shape = { class: `marble ${colourOf(label)}${gone}`, x: x - width / 2, y: y - radius, width, height: 2 * radius, rx: radius };
  const text = { class: 'text', x, y: y + 4, 'font-size': 11.5, 'text-anchor': 'middle' };
  return element('rect', shape) + element('text', text, escapeXml(label));
}

/** Draws one stream: its name, its line, and its marbles; those of one moment below each other. */
function drawStream(stream: Stream, labels: MarblePicture['labels'], xOf: (frame: number) => number, right: number, top: number): string[] {
  const y = top + height.name + radius + 2;
  const end = Math.min(right, xOf(stream.to));
  const parts = [element('text', { class: 'name', x: margin - 6, y: top + 13, 'font-size': 12 }, escapeXml(stream.name))];
  parts.push(element('path', { class: 'line', d: `M${xOf(stream.from)} ${y}H${end}` }));
  if (stream.from > 0) parts.push(element('path', { class: 'line', d: `M${xOf(stream.from)} ${y - 8}v16` }));
  if (stream.to === Infinity) parts.push(element('path', { class: 'head', d: `M${right + 6} ${y}l-9 -4.5v9z` }));
  for (const { frame, values, ends } of stream.moments) {
    const x = xOf(frame);
    if (ends === 'complete')
      parts.push(element('path', { class: 'line', d: `M${x} ${y - radius - 4}v${2 * radius + 8}`, 'stroke-width': 2.5 }));
    if (ends === 'error') parts.push(element('path', { class: 'line', d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14` }));
    for (const [at, value] of values.entries()) {
      const label = (labels as Readonly<Record<string, string | undefined>>)[value];
      if (label === undefined) throw new Error(`Expected a label for ${JSON.stringify(value)} of ${stream.name}, got none`);
      parts.push(marble(label, x, y + at * height.stacked));
    }
  }
  return parts;
}

function heightOf({ moments }: Stream): number {
  const most = Math.max(1, ...moments.map(({ values }) => values.length));
  return height.name + height.line + (most - 1) * height.stacked + height.gap;
}

/** Draws streams and the calls between them, as SVG. */
export function drawMarbles(title: string, { call, inputs, outputs, subscriptions = {}, labels }: MarblePicture): string {
  const read = (streams: Readonly<Record<string, string>>): Stream[] =>
    Object.entries(streams).map(([name, marbles]) => streamOf(name, marbles, subscriptions[name]));
  const [above, below] = new TestScheduler(() => undefined).run(() => [read(inputs), read(outputs)] as const);
  const frames = Math.max(...[...above, ...below].flatMap(({ moments }) => moments.map(({ frame }) => frame))) + 1;
  const frameWidth = Math.min(20, Math.max(8.4, 400 / frames));
  const width = Math.max(Math.ceil(frames * frameWidth + 2 * margin), Math.ceil(call.length * 7.4 + 2 * margin));
  const xOf = (frame: number): number => Math.round((margin + frame * frameWidth) * 10) / 10;
  const parts: string[] = [];
  let top = 8;
  const draw = (streams: readonly Stream[]): void => {
    for (const stream of streams) {
      parts.push(...drawStream(stream, labels, xOf, width - margin, top));
      top += heightOf(stream);
    }
  };
  draw(above);
  parts.push(element('rect', { class: 'box', x: margin - 8, y: top, width: width - 2 * margin + 16, height: height.box, rx: 5 }));
  parts.push(element('text', { class: 'code', x: width / 2, y: top + 19.5, 'font-size': 12, 'text-anchor': 'middle' }, escapeXml(call)));
  top += height.box + height.gap;
  draw(below);
  return drawing(width, top + 2, title, parts);
}
