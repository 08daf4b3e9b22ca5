// Runs in a page of the site and returns visible problems as sentences. workshop/tools/docs/lookAtSite.ts evaluates it.

const leaks = [
  /\[object Object\]/,
  /\{\{ |\{\{\w/,
  /\]\([^)\s]/,
  /\*\*\S/,
  /```/,
  /\{@link/,
  /\{target=/,
  /^\s*@(?:param|returns|example|see)\b/,
  /<\/?[a-z]+>/,
  /&(?:lt|gt|amp);/,
];

/** A short description that identifies an element. */
function nameOf(element) {
  const text = element.textContent.trim().replace(/\s+/g, ' ').slice(0, 50);
  return `<${element.tagName.toLowerCase()}> "${text}"`;
}

function scrolls(element) {
  return /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX);
}

/** Whether an element is inside of an element that scrolls or clips. */
function isHeld(element) {
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) if (scrolls(at)) return true;
  return false;
}

function textNodesOf(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim() !== '') nodes.push(walker.currentNode);
  return nodes;
}

/** Elements that do not fit into the width of the window, or into their own box. */
function layoutProblems(root) {
  const problems = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    const wide = [...root.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > width + 1 && !isHeld(each));
    problems.push(
      `is ${document.documentElement.scrollWidth} px wide in ${width}: ${wide.slice(0, 2).map(nameOf).join(', ') || 'no element found'}`,
    );
  }
  for (const each of root.querySelectorAll('pre, table, .marbles, svg, img')) {
    const { right } = each.getBoundingClientRect();
    if (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !scrolls(each) && !isHeld(each))
      problems.push(`cuts off ${nameOf(each)}`);
    else if (right > width + 1 && !isHeld(each)) problems.push(`lets ${nameOf(each)} stick out`);
  }
  for (const each of root.querySelectorAll('td')) {
    const length = each.textContent.trim().length;
    if (length > 30 && each.clientWidth < 70) problems.push(`crushes ${length} letters into ${each.clientWidth} px: ${nameOf(each)}`);
  }
  for (const each of root.querySelectorAll('h1, h2, h3, h4, p, li')) {
    if (
      each.scrollWidth > each.clientWidth + 2 &&
      each.clientWidth > 0 &&
      !scrolls(each) &&
      !isHeld(each) &&
      getComputedStyle(each).display !== 'inline'
    )
      problems.push(`lets words run out of ${nameOf(each)}`);
  }
  return problems;
}

function luminance([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map((each) => (each / 255 <= 0.03928 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function colourOf(text) {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return { rgb: [red, green, blue], alpha };
}

/** The background colour of an element; translucent colours are blended with those below. */
function groundOf(element) {
  const layers = [];
  for (let at = element; at !== null; at = at.parentElement) {
    const layer = colourOf(getComputedStyle(at).backgroundColor);
    if (layer.alpha > 0) layers.push(layer);
    if (layer.alpha === 1) break;
  }
  return layers.reduceRight((below, { rgb, alpha }) => rgb.map((each, at) => each * alpha + below[at] * (1 - alpha)), [255, 255, 255]);
}

/** Text with insufficient contrast: WCAG requires 4.5. */
function contrastProblems(root) {
  const seen = new Map();
  for (const { parentElement: element } of textNodesOf(root)) {
    if (element.closest('svg') !== null || element.closest('.line-numbers-wrapper, .header-anchor, .lang') !== null) continue;
    const style = getComputedStyle(element);
    const key = `${style.color} ${element.closest('pre, code, table, blockquote')?.tagName ?? ''}`;
    if (seen.has(key)) continue;
    const ground = groundOf(element);
    const { rgb, alpha } = colourOf(style.color);
    const [light, dark] = [luminance(rgb.map((each, at) => each * alpha + ground[at] * (1 - alpha))), luminance(ground)].sort(
      (a, b) => b - a,
    );
    const ratio = (light + 0.05) / (dark + 0.05);
    seen.set(key, ratio < 4.5 ? `has a contrast of ${ratio.toFixed(1)} in ${nameOf(element)}` : undefined);
  }
  return [...seen.values()].filter((each) => each !== undefined);
}

function emptySections(root) {
  const parts = [...root.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const level = ({ tagName }) => Number(tagName[1]);
  return parts.flatMap((heading, at) => {
    const following = parts[at + 1];
    if (following !== undefined && level(following) > level(heading)) return [];
    const range = document.createRange();
    range.setStartAfter(heading);
    if (following === undefined) range.setEndAfter(root.lastChild);
    else range.setEndBefore(following);
    const content = range.cloneContents();
    const isEmpty = content.textContent.trim() === '' && content.querySelector('img, svg, iframe') === null;
    return isEmpty ? [`has nothing below ${nameOf(heading)}`] : [];
  });
}

function contentProblems(root) {
  const problems = [];
  const titles = document.querySelectorAll('h1').length;
  if (titles !== 1) problems.push(`has ${titles} titles`);
  if (document.title.trim() === '' || /undefined/.test(document.title)) problems.push(`is called "${document.title}"`);
  const about = document.querySelector('meta[name=description]')?.content ?? '';
  if (about.length < 10) problems.push('has no description');
  for (const { data, parentElement } of textNodesOf(root)) {
    if (parentElement.closest('pre, code, svg, script, style') !== null) continue;
    const leak = leaks.find((each) => each.test(data));
    if (leak !== undefined) problems.push(`shows ${leak.source} in "${data.trim().slice(0, 80)}"`);
  }
  for (const each of root.querySelectorAll('h1, h2, h3, h4, a, th'))
    if (/\bundefined\b|\bnull\b/.test(each.textContent) && each.querySelector('code') === null) problems.push(`names ${nameOf(each)}`);
  for (const each of root.querySelectorAll('img'))
    if (each.naturalWidth === 0 || each.getAttribute('width') === null) problems.push(`has a picture without a size: ${each.src}`);
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) problems.push(`has the id ${twice} twice`);
  return [...problems, ...emptySections(root)];
}

/** Texts in the sidebar that are clipped at its edge. */
function cutNavigation() {
  const sidebar = document.querySelector('.VPSidebar')?.getBoundingClientRect();
  // On narrow screens the sidebar is outside of the window.
  if (sidebar === undefined || sidebar.left < 0) return [];
  const cut = [...document.querySelectorAll('.VPSidebar .text')].filter((each) => each.getBoundingClientRect().right > sidebar.right);
  return cut.slice(0, 1).map((each) => `cuts off ${nameOf(each)} in the sidebar, which is ${Math.round(sidebar.width)} px wide`);
}

/** Whether the sidebar links to this page. */
function sidebarProblems() {
  if (document.querySelector('#VPContent') === null || document.querySelector('.VPHome') !== null) return [];
  const here = location.pathname.replace(/index\.html$/, '').replace(/\.html$/, '');
  const links = [...document.querySelectorAll('.VPSidebar a')].map((each) => new URL(each.href).pathname.replace(/(?:index)?\.html$/, ''));
  return links.includes(here) ? [] : ['is in no sidebar'];
}

function rootOf() {
  return document.querySelector('.vp-doc') ?? document.body;
}

/** The problems of the page in a view: light, dark, small, or narrow. */
export function lookAtPage(view) {
  const isFirst = view === 'light';
  // Disables transitions: colours that are still changing to the dark theme would be measured.
  if (isFirst) document.head.insertAdjacentHTML('beforeend', '<style>*, *::before, *::after { transition: none !important }</style>');
  document.documentElement.classList.toggle('dark', view === 'dark');
  const root = rootOf();
  const content = isFirst ? [...contentProblems(root), ...sidebarProblems()] : [];
  return [
    ...content,
    ...(view === 'dark' ? [] : [...layoutProblems(root), ...cutNavigation()]),
    ...(view === 'light' || view === 'dark' ? contrastProblems(root) : []),
  ];
}

/** The links of the page, and its anchors. */
export function linksOfPage() {
  const links = [...document.links]
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname, hash }) => pathname + decodeURIComponent(hash));
  return { links: [...new Set(links)], ids: [...document.querySelectorAll('[id]')].map(({ id }) => id) };
}
