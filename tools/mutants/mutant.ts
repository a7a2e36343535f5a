/** A replacement of text in one file of the product; the text must stand there exactly once. */
export type Patch = { file: string; text: string; replacement: string };

/** A way to get it wrong that looks reasonable, the invariant that it breaks, and the tests that must notice. */
export type Mutant = {
  name: string;
  variant: string;
  breaks: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I14' | 'I16' | 'I17' | 'I18';
  tests: readonly string[];
  patches: Patch[];
};
