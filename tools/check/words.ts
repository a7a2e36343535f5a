import type { Finding, Project } from './project.ts';

export type ForbiddenWord = { word: string; reason: string };

/** Words that may stand nowhere in the tree, whatever their case: in no file and in no file's name. */
export const FORBIDDEN_WORDS: ForbiddenWord[] = [];

/** The rule for a table of words. The file that holds the table may hold them. */
export function forbiddenWords(table: ForbiddenWord[]): (project: Project) => Finding[] {
  return ({ files }) =>
    files
      .filter(({ path }) => path !== 'tools/check/words.ts')
      .flatMap(({ path, text }) =>
        [path, ...text.split('\n')].flatMap((content, index) =>
          table
            .filter(({ word }) => content.toLowerCase().includes(word.toLowerCase()))
            .map(({ word, reason }) => ({
              path,
              line: Math.max(index, 1),
              message: `says "${word}": ${reason}`,
              subject: word,
            })),
        ),
      );
}
