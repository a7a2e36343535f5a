/** What is used of the package, which has no types. */
declare module 'subset-font' {
  /** `keepAllGlyphs` goes with an undefined `text`; a number fixes the axis of a variable font. */
  type Options = { keepAllGlyphs: true; variationAxes: Record<string, number>; targetFormat: 'truetype' };
  function subsetFont(font: Buffer, text: undefined, options: Options): Promise<Buffer>;
  export = subsetFont;
}
