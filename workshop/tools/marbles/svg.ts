type Attributes = Readonly<Record<string, string | number>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

/** One element of a drawing. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}

/** Colours for a light and a dark page. The picture has a background of its own. */
const style = `
  .ground { fill: #ffffff; stroke: #d0d7de; }
  .line { stroke: #57606a; stroke-width: 1.5; fill: none; }
  .dashed { stroke-dasharray: 2 3; }
  .head { fill: #57606a; }
  .name { fill: #57606a; }
  .text { fill: #1f2328; }
  .box { fill: #eaeef2; stroke: #afb8c1; }
  .marble { stroke-width: 1.5; }
  .k0 { fill: #ddf4ff; stroke: #0969da; }
  .k1 { fill: #fff1e5; stroke: #bc4c00; }
  .k2 { fill: #f6f8fa; stroke: #57606a; }
  .k3 { fill: #dafbe1; stroke: #1a7f37; }
  .gone { stroke-dasharray: 3 2; }
  text { font-family: ui-sans-serif, system-ui, sans-serif; }
  .code { font-family: ui-monospace, Menlo, Consolas, monospace; fill: #1f2328; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #161b22; stroke: #30363d; }
    .line { stroke: #8b949e; }
    .head, .name { fill: #8b949e; }
    .text, .code { fill: #e6edf3; }
    .box { fill: #21262d; stroke: #484f58; }
    .k0 { fill: #0c2d6b; stroke: #58a6ff; }
    .k1 { fill: #5a1e02; stroke: #f0883e; }
    .k2 { fill: #21262d; stroke: #8b949e; }
    .k3 { fill: #033a16; stroke: #3fb950; }
  }
`;

/** A whole drawing, with a title for screen readers. */
export function drawing(width: number, height: number, title: string, content: readonly string[]): string {
  const ground = element('rect', { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 });
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width: Math.round(width * 1.25),
    height: Math.round(height * 1.25),
    role: 'img',
  };
  const lines = [element('title', {}, escapeXml(title)), element('style', {}, style), ground, ...content];
  return `${element('svg', attributes, `\n${lines.join('\n')}\n`)}\n`;
}
