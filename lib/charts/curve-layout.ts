/** Fixed measures of every curve chart in pixels; the width is the page's. */
export const CURVE_LAYOUT = { height: 240, top: 10, bottom: 42, left: 40 } as const;

/** Height of the plot in pixels. */
export const PLOT_HEIGHT = CURVE_LAYOUT.height - CURVE_LAYOUT.top - CURVE_LAYOUT.bottom;

/** Side of the square in which paths are drawn before they are stretched over the plot. */
export const PATH_SIZE = 1000;

/** Least distance between two end labels in pixels. */
export const LABEL_GAP_PX = 16;

/** From the plot to the marker of an end label, to its text, and from the text's name to its value, in pixels. */
export const LABEL_PLACES = { marker: 14, text: 22, gap: 5 } as const;

/** Radius of the ring around a value that Harbor recorded, in pixels. */
export const RECORDED_RADIUS = 7.5;
