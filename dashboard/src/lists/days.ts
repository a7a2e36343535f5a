type Days = { from?: string | undefined; to?: string | undefined };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/**
 * Returns a search whose days are instants in UTC, with the last day included: for what the API filters by instants alone. What is no day
 * stays as it is, so that the API explains it.
 */
export function toInstants<Search extends Days>(search: Search): Search {
  const { from, to } = search;
  return { ...search, from: instantOf(from, 0), to: instantOf(to, DAY_MS) };
}

function instantOf(day: string | undefined, laterMs: number): string | undefined {
  if (day === undefined || !DAY.test(day) || Number.isNaN(Date.parse(day))) return day;
  return new Date(Date.parse(day) + laterMs).toISOString();
}
