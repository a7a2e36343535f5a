/** People write countries as codes or as names in one of these languages. */
const LANGUAGES = ['en', 'de', 'fr', 'es'];
/** Codes that are used for a country beside its own: of its VAT numbers (GR), and in its daily life (GB). */
const ALIASES: Record<string, string> = { EL: 'GR', UK: 'GB' };

const A = 65;
const LETTERS = 26;

let codesByName: Map<string, string> | undefined;
let englishNames: Intl.DisplayNames | undefined;

/** The ISO 3166-1 alpha-2 code of a country, written as a code or as its name in English, German, French or Spanish; null for others. */
export function findCountryCode(text: string): string | null {
  codesByName ??= listCodes();
  return codesByName.get(fold(text)) ?? null;
}

/** A country that was written as a code by its English name; anything else as it was written. */
export function nameCountry(text: string): string {
  const code = text.trim().length === 2 ? findCountryCode(text) : null;
  if (code === null) return text;
  englishNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return englishNames.of(code) ?? text;
}

/** Of all pairs of letters, those that CLDR has a name for, other than the user-assigned and the withdrawn ones. */
function listCodes(): Map<string, string> {
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  const codes = new Map<string, string>();
  for (let index = 0; index < LETTERS * LETTERS; index += 1) {
    const code = String.fromCharCode(A + Math.floor(index / LETTERS), A + (index % LETTERS));
    const isCountry = !/^(AA|Q[M-Z]|X[A-Z]|ZZ|E[UZ]|UN)$/.test(code) && new Intl.Locale(`und-${code}`).region === code;
    if (!isCountry) continue;
    for (const one of names) {
      const name = one.of(code);
      if (name !== undefined) codes.set(fold(name), code);
    }
    if (names[0]?.of(code) !== undefined) codes.set(fold(code), code);
  }
  for (const [alias, code] of Object.entries(ALIASES)) codes.set(fold(alias), code);
  return codes;
}

/** Case and accents do not count. */
function fold(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
}
