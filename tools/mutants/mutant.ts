/** A replacement of text in one file of the product. The text must occur there exactly once. */
export type Patch = { file: string; text: string; replacement: string };

/** A plausible mistake, the invariant that it breaks, and the tests that must fail. */
export type Mutant = {
  name: string;
  variant: string;
  breaks: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I14' | 'I15' | 'I16' | 'I17' | 'I18' | 'not a behaviour of the model';
  tests: readonly string[];
  patches: Patch[];
};
