/** One line of the table: a ratio against what it should be. */
export type Row = {
  name: string;
  ratio: number;
  bound: '≥' | '≤';
  limit: number;
  detail: string;
};

/** The head of the table. */
export function printTitle(): void {
  console.log(`\n${'what'.padEnd(44)} ${'ratio'.padStart(7)} ${'wanted'.padStart(9)}      figures`);
  console.log('-'.repeat(110));
}

/** One line of the table, with a mark when the ratio misses what is wanted. */
export function printRow({ name, ratio, bound, limit, detail }: Row): void {
  const met = bound === '≥' ? ratio >= limit : ratio <= limit;
  console.log(
    `${name.padEnd(44)} ${ratio.toFixed(2).padStart(6)}× ${`${bound} ${limit}×`.padStart(9)} ${met ? '  ok ' : ' MISS'} ${detail}`,
  );
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
