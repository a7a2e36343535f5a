/** Black or white, whichever can be read better on the colour, and how well: the ratio of WCAG 2.2, from 1 to 21. */
export type Readable = { text: '#000000' | '#ffffff'; ratio: number };

/** Returns the text colour for a background such as `#4f46e5`, or null where that is no colour of six digits. */
export function readableOn(colour: string): Readable | null {
  const digits = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  if (digits === undefined) return null;
  const luminance = luminanceOf(digits);
  const onBlack = (luminance + 0.05) / 0.05;
  const onWhite = 1.05 / (luminance + 0.05);
  return onBlack >= onWhite ? { text: '#000000', ratio: onBlack } : { text: '#ffffff', ratio: onWhite };
}

function luminanceOf(digits: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const share = Number.parseInt(digits.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
