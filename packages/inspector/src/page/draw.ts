/** The description of an element, which is compared with the DOM, so that scroll positions, selections and focus survive. */
export interface Drawn {
  readonly tag: string;
  readonly props: Props;
  readonly children: readonly (Drawn | string)[];
}

export type Child = Drawn | string | number | false | undefined | null | readonly Child[];

export type Props = Readonly<Record<string, unknown>>;

const svgTags = new Set(['svg', 'circle', 'path', 'polyline', 'rect', 'line', 'text', 'g', 'title']);

function flat(children: readonly Child[], into: (Drawn | string)[]): (Drawn | string)[] {
  for (const child of children) {
    if (child === false || child === undefined || child === null) continue;
    if (Array.isArray(child)) flat(child as readonly Child[], into);
    else into.push(typeof child === 'number' ? String(child) : (child as Drawn | string));
  }
  return into;
}

/** Describes an element. Props that begin with `on` are listeners, `style` is an object. */
export function h(tag: string, props: Props = {}, ...children: readonly Child[]): Drawn {
  return { tag, props, children: flat(children, []) };
}

type Kept = Element & { listeners?: Record<string, EventListener>; given?: Props };

function setProp(element: Kept, name: string, value: unknown): void {
  if (name.startsWith('on')) {
    const type = name.slice(2).toLowerCase();
    element.listeners ??= {};
    if (!(type in element.listeners)) element.addEventListener(type, (event) => element.listeners?.[type]?.(event));
    element.listeners[type] = (value ?? (() => undefined)) as EventListener;
  } else if (name === 'style') {
    for (const [key, each] of Object.entries(value as Record<string, string>))
      (element as unknown as HTMLElement).style.setProperty(key, each);
  } else if (name === 'value') {
    const input = element as unknown as HTMLInputElement;
    if (input.value !== String(value)) input.value = String(value);
  } else if (value === undefined || value === false || value === null) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : `${value as string | number}`);
  }
}

function makeNode(drawn: Drawn | string): Node {
  if (typeof drawn === 'string') return document.createTextNode(drawn);
  const { tag } = drawn;
  const element = svgTags.has(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  update(element as Kept, drawn);
  return element;
}

function update(element: Kept, { props, children }: Drawn): void {
  const before = element.given ?? {};
  for (const name of Object.keys(before)) if (!(name in props)) setProp(element, name, undefined);
  for (const [name, value] of Object.entries(props)) if (before[name] !== value || name === 'value') setProp(element, name, value);
  element.given = props;
  draw(element, children);
}

/** Updates the children of an element to match the descriptions. */
export function draw(parent: Element, children: readonly (Drawn | string)[]): void {
  children.forEach((drawn, at) => {
    const node = parent.childNodes[at];
    if (node === undefined) {
      parent.append(makeNode(drawn));
    } else if (typeof drawn === 'string') {
      if (node.nodeType !== Node.TEXT_NODE) node.replaceWith(document.createTextNode(drawn));
      else if (node.nodeValue !== drawn) node.nodeValue = drawn;
    } else if (
      node.nodeType === Node.ELEMENT_NODE &&
      (node as Element).localName === drawn.tag &&
      (node as Kept).given?.['key'] === drawn.props['key']
    ) {
      update(node as Kept, drawn);
    } else {
      node.replaceWith(makeNode(drawn));
    }
  });
  while (parent.childNodes.length > children.length) parent.lastChild?.remove();
}
