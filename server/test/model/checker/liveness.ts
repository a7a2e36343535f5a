/**
 * Finds a calm state from which no good one can be reached. Every step of a calm state leads to a calm one.
 * @param edges - the numbers of the states that follow each state
 * @returns the number of the state that was found first, or null
 */
export function findStuck(edges: readonly number[][], calm: readonly number[], good: readonly number[]): number | null {
  const before: number[][] = edges.map(() => []);
  for (const [number, targets] of edges.entries()) for (const target of targets) before[target]?.push(number);
  const canEndWell = new Uint8Array(edges.length);
  const open = [...good];
  for (const number of open) canEndWell[number] = 1;
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    for (const earlier of before[number] ?? []) {
      if (canEndWell[earlier] === 1) continue;
      canEndWell[earlier] = 1;
      open.push(earlier);
    }
  }
  return calm.find((number) => canEndWell[number] === 0) ?? null;
}
