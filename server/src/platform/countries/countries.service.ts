/** The languages in which people may write a country's name. */
const LANGUAGES = ['en', 'de', 'fr', 'es'];
/** Codes in common use besides the ISO one: in VAT numbers (GR) and in daily life (GB). */
const ALIASES: Record<string, string> = { EL: 'GR', UK: 'GB' };

const A = 65;
const LETTERS = 26;

let codesByName: Map<string, string> | undefined;
let englishNames: Intl.DisplayNames | undefined;

/**
 * The ISO 3166-1 alpha-2 code of a country given as a code or as its English, German, French or Spanish name; null for
 * others.
 */
export function findCountryCode(text: string): string | null {
  codesByName ??= listCodes();
  return codesByName.get(fold(text)) ?? null;
}

/** All codes of countries. */
export function listCountries(): string[] {
  codesByName ??= listCodes();
  return [...new Set(codesByName.values())];
}

/** The English name of a country given as a code; any other text unchanged. */
export function nameCountry(text: string): string {
  const code = text.trim().length === 2 ? findCountryCode(text) : null;
  if (code === null) return text;
  englishNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return englishNames.of(code) ?? text;
}

/** All pairs of letters that CLDR has a name for, except user-assigned and withdrawn codes. */
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

/** Ignores case and accents. */
function fold(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
}
