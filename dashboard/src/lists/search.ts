/** The search part of an address as plain names and texts, as the API has them: `?state=open&page=2`. */
export type Search = Readonly<Record<string, string>>;

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes the search part; what is empty or undefined is left out. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the check of a route's search: it keeps these names and leaves their values to the API, which explains a wrong one. */
export function searchOf<const Name extends string>(...names: Name[]) {
  return (search: Readonly<Record<string, unknown>>): { [Key in Name]?: string } => {
    const kept = names.filter((name) => search[name] !== undefined).map((name) => [name, String(search[name])]);
    return Object.fromEntries(kept) as { [Key in Name]?: string };
  };
}
