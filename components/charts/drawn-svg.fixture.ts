/** Reads a drawing back as a browser would place it: lengths in per cent, nested drawings, transforms and paths. */

export interface DrawnElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly DrawnElement[];
  /** Of the element and all within. */
  readonly text: string;
}

/** A place in pixels from the top left of the drawing. */
export interface DrawnPlace {
  readonly x: number;
  readonly y: number;
}

interface DrawnMark {
  /** Its corners in order; none if it has curves, like glyphs. */
  readonly places: readonly DrawnPlace[];
  /** Position of a point in its own units. */
  readonly toPixels: (place: DrawnPlace) => DrawnPlace;
}

const TOKENS = /<(\/?)([\w:-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/g;
const ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["#x27", "'"],
]);

function decode(text: string): string {
  return text.replace(/&([\w#]+);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);
}

/** Reads well-formed markup; everything within one element, which has no name. */
export function parseMarkup(markup: string): DrawnElement {
  interface Open {
    name: string;
    attributes: Map<string, string>;
    children: DrawnElement[];
    text: string;
  }
  const root: Open = { name: "", attributes: new Map(), children: [], text: "" };
  const open = [root];
  for (const [, closing, name = "", attributes = "", isEmpty, text] of markup.matchAll(TOKENS)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) {
      for (const one of open) one.text += decode(text);
    } else if (closing === "/") {
      if (open.length < 2 || parent.name !== name) throw new Error(`</${name}> closes nothing`);
      open.pop();
    } else {
      const element: Open = { name, attributes: readAttributes(attributes), children: [], text: "" };
      parent.children.push(element);
      if (isEmpty !== "/") open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name ?? ""}> is not closed`);
  return root;
}

function readAttributes(text: string): Map<string, string> {
  const pairs = [...text.matchAll(/([\w:-]+)="([^"]*)"/g)];
  return new Map(pairs.map(([, key, value]) => [key ?? "", decode(value ?? "")]));
}

/** All elements with one of their classes so named, in the order of the document. */
export function findByClass(element: DrawnElement, name: string): readonly DrawnElement[] {
  const isOne = (element.attributes.get("class") ?? "").split(" ").includes(name);
  return [...(isOne ? [element] : []), ...element.children.flatMap((child) => findByClass(child, name))];
}

/** Scale and shift of the inner pixels, and the size that per cents are of. */
interface Frame {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function readLength(text: string | undefined, whole: number, otherwise: number): number {
  if (text === undefined) return otherwise;
  return text.endsWith("%") ? (Number(text.slice(0, -1)) / 100) * whole : Number(text);
}

/** The places of all elements of a drawing `width` by `height` pixels large. */
export function placeElements(
  root: DrawnElement,
  size: { readonly width: number; readonly height: number },
): ReadonlyMap<DrawnElement, DrawnMark> {
  const marks = new Map<DrawnElement, DrawnMark>();
  const visit = (element: DrawnElement, outer: Frame): void => {
    const frame = enter(element, outer);
    const toPixels = ({ x, y }: DrawnPlace) => ({
      x: frame.x + x * frame.scaleX,
      y: frame.y + y * frame.scaleY,
    });
    marks.set(element, { places: listCorners(element, frame).map(toPixels), toPixels });
    for (const child of element.children) visit(child, frame);
  };
  for (const child of root.children) visit(child, { scaleX: 1, scaleY: 1, x: 0, y: 0, ...size });
  return marks;
}

function enter({ name, attributes }: DrawnElement, outer: Frame): Frame {
  if (name !== "svg") return transform(attributes.get("transform") ?? "", outer);
  const isRoot = attributes.has("role") || attributes.has("xmlns");
  const x = isRoot ? 0 : readLength(attributes.get("x"), outer.width, 0);
  const y = isRoot ? 0 : readLength(attributes.get("y"), outer.height, 0);
  const width = readLength(attributes.get("width"), outer.width, outer.width);
  const height = readLength(attributes.get("height"), outer.height, outer.height);
  const box = attributes.get("viewBox")?.split(" ").map(Number);
  const [boxX = 0, boxY = 0, boxWidth = width, boxHeight = height] = box ?? [];
  const scaleX = outer.scaleX * (width / boxWidth);
  const scaleY = outer.scaleY * (height / boxHeight);
  return {
    scaleX,
    scaleY,
    x: outer.x + x * outer.scaleX - boxX * scaleX,
    y: outer.y + y * outer.scaleY - boxY * scaleY,
    width: boxWidth,
    height: boxHeight,
  };
}

function transform(text: string, outer: Frame): Frame {
  let frame = outer;
  for (const [, kind, list] of text.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [first = 0, second] = (list ?? "").split(/[\s,]+/).map(Number);
    if (kind === "translate") {
      frame = {
        ...frame,
        x: frame.x + first * frame.scaleX,
        y: frame.y + (second ?? 0) * frame.scaleY,
      };
    } else if (kind === "scale") {
      frame = { ...frame, scaleX: frame.scaleX * first, scaleY: frame.scaleY * (second ?? first) };
    } else throw new Error(`${kind ?? ""} is not read here`);
  }
  return frame;
}

function listCorners({ name, attributes }: DrawnElement, { width, height }: Frame): readonly DrawnPlace[] {
  const at = (x: string, y: string): DrawnPlace => ({
    x: readLength(attributes.get(x), width, 0),
    y: readLength(attributes.get(y), height, 0),
  });
  switch (name) {
    case "line":
      return [at("x1", "y1"), at("x2", "y2")];
    case "circle":
      return [at("cx", "cy")];
    case "text":
      return [at("x", "y")];
    case "path":
      return listPathCorners(attributes.get("d") ?? "");
    default:
      return [];
  }
}

/** Corners of straight paths in absolute commands; a path of other commands is a glyph and has none. */
function listPathCorners(d: string): readonly DrawnPlace[] {
  if (/[^MLHVZz\d\s.,e-]/.test(d)) return [];
  const places: DrawnPlace[] = [];
  let place: DrawnPlace = { x: 0, y: 0 };
  for (const [, command = "", list = ""] of d.matchAll(/([MLHV])([^MLHVZz]*)/g)) {
    const [first = Number.NaN, second = Number.NaN] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    place = move(place, command, first, second);
    places.push(place);
  }
  return places;
}

function move({ x, y }: DrawnPlace, command: string, first: number, second: number): DrawnPlace {
  switch (command) {
    case "H":
      return { x: first, y };
    case "V":
      return { x, y: first };
    default:
      return { x: first, y: second };
  }
}
