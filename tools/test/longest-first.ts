import { BaseSequencer, type TestSequencerConstructor, type Vitest } from 'vitest/node';

/** Short files that take long: they start and kill processes, or what they run is in other files. */
const LONG = /([.-](chaos|contract|crash|postgres|takeover|torture)|\/model)\.test\.ts$/;

/** Vitest's order, by how long each file took in the last run or else by its size, with the files before it that are known to take long. */
function createSequencer(vitest: Vitest): BaseSequencer {
  const usual = new BaseSequencer(vitest);
  const sort: BaseSequencer['sort'] = async (files) => {
    const sorted = await usual.sort(files);
    const isLong = ({ moduleId }: (typeof files)[number]) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  };
  return Object.assign(Object.create(usual) as BaseSequencer, { sort });
}

/** Vitest calls it with `new`. */
export const LongestFirst = createSequencer as unknown as TestSequencerConstructor;
