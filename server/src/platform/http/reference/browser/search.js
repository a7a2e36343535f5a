/**
 * The search of the reference page: which operations hold every word, the best match first. What a word is found in counts, and
 * whether the word begins there. It knows no page, so that it can be tested without a browser; `page.js` shows what it finds.
 */
const WEIGHTS = { title: 12, path: 10, names: 4, text: 1 };

/** The words of a search, folded. */
function wordsOf(query) {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * @param entries what there is to find, in the order of the page: each with `title`, `path`, `names` (of fields and error codes)
 * and `text`, folded
 * @returns the indexes of the entries that hold every word, the best first; of equal ones the earlier first
 */
function rankEntries(entries, words) {
  return entries
    .map((entry, index) => ({ index, scores: words.map((word) => scoreOf(entry, word)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ index, scores }) => ({ index, score: scores.reduce((sum, score) => sum + score, 0) }))
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ index }) => index);
}

function scoreOf(entry, word) {
  let score = 0;
  for (const [part, weight] of Object.entries(WEIGHTS)) score += weight * fitOf(entry[part], word);
  return score;
}

/** 3 where the word stands as a whole, 2 where one begins with it, 1 where it stands at all, 0 where it does not. */
function fitOf(text, word) {
  let fit = 0;
  for (let at = text.indexOf(word); at !== -1 && fit < 3; at = text.indexOf(word, at + 1)) {
    const begins = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]);
    const ends = !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ' ');
    fit = Math.max(fit, begins ? (ends ? 3 : 2) : 1);
  }
  return fit;
}

globalThis.referenceSearch = { wordsOf, rankEntries };
