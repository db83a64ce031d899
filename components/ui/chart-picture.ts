/** Picture pixels per drawing pixel. */
const SCALE = 2;
const MARGIN = 16;

/** Properties that decide how a shape looks, since the file has no style sheet. */
const PAINT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "text-anchor",
  "font-family",
  "font-size",
  "font-weight",
  "shape-rendering",
  "vector-effect",
  "paint-order",
] as const;

/** Renders an element as one SVG: drawings with their paint, and text next to them; no menus, buttons or hidden text. */
export function drawSvg(chart: Element): string {
  const frame = chart.getBoundingClientRect();
  const width = Math.ceil(frame.width) + 2 * MARGIN;
  const parts = [...collectDrawings(chart, frame), ...collectTexts(chart, frame)];
  const bottom = Math.ceil(Math.max(0, ...parts.map((part) => part.bottom)));
  const height = bottom + 2 * MARGIN;
  const paper = getComputedStyle(document.body).backgroundColor || "#ffffff";
  const content = parts.map(({ markup }) => markup).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${paper}"/><g transform="translate(${MARGIN} ${MARGIN})">${content}</g></svg>`;
}

interface Part {
  readonly markup: string;
  readonly bottom: number;
}

const LEFT_OUT =
  "details:not([open]) > :not(summary), .facet, .button, .segment, .screen-reader, .table-narrow, .table-spare, summary, script";

function isLeftOut(element: Element, chart: Element): boolean {
  const outer = element.closest(LEFT_OUT);
  return outer !== null && chart.contains(outer);
}

function collectDrawings(chart: Element, frame: DOMRect): Part[] {
  return [...chart.querySelectorAll<SVGSVGElement>("svg")].flatMap((svg) => {
    const isInner = svg.parentElement?.closest("svg") !== null;
    const box = svg.getBoundingClientRect();
    if (isInner || isLeftOut(svg, chart) || box.width === 0) return [];
    const copy = svg.cloneNode(true) as SVGSVGElement; // A clone has the type of its source.
    paint(svg, copy);
    copy.setAttribute("x", round(box.left - frame.left));
    copy.setAttribute("y", round(box.top - frame.top));
    copy.setAttribute("width", round(box.width));
    copy.setAttribute("height", round(box.height));
    copy.setAttribute("overflow", "visible");
    const markup = new XMLSerializer().serializeToString(copy);
    return [
      { markup, bottom: box.bottom - frame.top + (svg.classList.length > 0 ? labelsBelow(svg, box) : 0) },
    ];
  });
}

/** Returns how far text, such as axis numbers, reaches below a drawing. */
function labelsBelow(svg: SVGSVGElement, box: DOMRect): number {
  const bottoms = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect().bottom);
  return Math.max(0, ...bottoms.map((bottom) => bottom - box.bottom));
}

/** Properties that are not inherited, with their defaults. */
const OWN: Readonly<Record<string, string>> = { opacity: "1", "vector-effect": "none" };

function paint(source: Element, copy: Element, above: CSSStyleDeclaration | null = null): void {
  const style = getComputedStyle(source);
  copy.removeAttribute("class");
  copy.removeAttribute("style");
  for (const name of PAINT) {
    const value = style.getPropertyValue(name);
    const usual = OWN[name] ?? above?.getPropertyValue(name);
    if (copy.hasAttribute(name) || value !== usual) copy.setAttribute(name, value);
  }
  // Nested drawings are clipped by default, which cuts markers.
  if (source instanceof SVGSVGElement) copy.setAttribute("overflow", style.overflow);
  for (const [at, child] of [...source.children].entries()) {
    const twin = copy.children[at];
    if (twin !== undefined && child.tagName !== "title") paint(child, twin, style);
  }
}

function collectTexts(chart: Element, frame: DOMRect): Part[] {
  const walker = document.createTreeWalker(chart, NodeFilter.SHOW_TEXT);
  const parts: Part[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent ?? "";
    if (parent === null || text.trim() === "" || parent.closest("svg") !== null || isLeftOut(parent, chart))
      continue;
    const style = getComputedStyle(parent);
    if (style.visibility === "hidden") continue;
    for (const { words, box } of listLines(node, text)) {
      const size = Number.parseFloat(style.fontSize);
      const baseline = box.top - frame.top + box.height / 2 + size * 0.35;
      parts.push({
        bottom: box.bottom - frame.top,
        // The picture lacks the page's fonts, so words are stretched to their measured width.
        markup: `<text x="${round(box.left - frame.left)}" y="${round(baseline)}" textLength="${round(box.width)}" lengthAdjust="spacingAndGlyphs" font-family="${escape(style.fontFamily)}" font-size="${size}" font-weight="${style.fontWeight}" fill="${style.color}">${escape(words)}</text>`,
      });
    }
  }
  return parts;
}

/** Returns the words of each line on which a text is rendered. */
function listLines(node: Node, text: string) {
  const lines: { words: string; box: DOMRect }[] = [];
  const range = document.createRange();
  let end = 0;
  for (const { index, 0: sign } of text.matchAll(/\S/gu)) {
    const gap = index === end ? "" : " ";
    end = index + sign.length;
    range.setStart(node, index);
    range.setEnd(node, end);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.box.top - box.top) < 2) {
      last.words += gap + sign;
      last.box = new DOMRect(last.box.x, last.box.y, box.right - last.box.x, last.box.height);
    } else lines.push({ words: sign, box });
  }
  return lines;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

export async function toPng(svg: Blob): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Writes to the clipboard at once, while the click still permits it. */
export async function copyPng(svg: Promise<Blob>): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": svg.then(toPng) })]);
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has started reading it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
