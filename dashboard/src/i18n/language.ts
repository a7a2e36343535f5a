import { useSyncExternalStore } from 'react';

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(tag: string): tag is Language {
  return LANGUAGES.some((one) => one === tag);
}

/** Each language in itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

const listeners = new Set<() => void>();
let current: Language = chooseLanguage([]);

/**
 * The language of the pages: the profile's, else the browser's, else English.
 *
 * @param wanted - of the profile, such as `de` or `de-CH`; undefined before somebody has logged in
 */
function setLanguage(wanted: string | undefined): void {
  current = chooseLanguage(wanted === undefined ? [] : [wanted]);
  document.documentElement.lang = current;
  for (const notify of listeners) notify();
}

let zone: string | undefined;

/**
 * The zone in which instants are written: the profile's, else the device's.
 *
 * @param wanted - an IANA name; undefined for the device's
 */
function setTimeZone(wanted: string | undefined): void {
  zone = wanted !== undefined && isKnownZone(wanted) ? wanted : undefined;
  for (const notify of listeners) notify();
}

/** A browser may be older than a zone. */
function isKnownZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export function useTimeZone(): string | undefined {
  return useSyncExternalStore(listen, () => zone);
}

/** Language and time zone of who is logged in. */
export function speakTo(user: { language: string; timezone: string } | null | undefined): void {
  setLanguage(user?.language || undefined);
  setTimeZone(user?.timezone || undefined);
}

export function useLanguage(): Language {
  return useSyncExternalStore(listen, currentLanguage);
}

/** The same outside of components. */
export function currentLanguage(): Language {
  return current;
}

function listen(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

function chooseLanguage(wanted: readonly string[]): Language {
  const spoken = [...wanted, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return LANGUAGES.find((known) => known === spoken.find((tag) => LANGUAGES.some((one) => one === tag))) ?? 'en';
}
