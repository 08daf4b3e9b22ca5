import type { Line } from '../output/span.js';
import { paint } from '../output/paint.js';
import type { OutputStream } from '../terminal.js';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
/** A terminal that knows these shows a frame as a whole. */
const [beginFrame, endFrame] = ['\u001b[?2026h', '\u001b[?2026l'];
const home = '\u001b[H';
const eraseRest = '\u001b[K';
const eraseBelow = '\u001b[J';

/**
 * A screen of its own on a terminal, on which one frame replaces the one before it.
 */
export interface DemoScreen {
  draw(frame: readonly Line[]): void;
  /** Shows again what was there before. */
  close(): void;
}

/**
 * Takes the whole terminal for frames.
 */
export function openScreen(stdout: OutputStream, colour: boolean): DemoScreen {
  let last = '';
  stdout.write(enter);
  return {
    draw(frame) {
      const text = frame.map((line) => `${paint(line, colour)}${eraseRest}`).join('\r\n');
      if (text === last) return;
      last = text;
      stdout.write(`${beginFrame}${home}${text}${eraseBelow}${endFrame}`);
    },
    close: () => void stdout.write(leave),
  };
}
