import type { Language } from '../i18n/language.ts';

/** The name of a language, such as `pt`, in the language of the page, with a capital as in a list. */
export function languageName(tag: string, language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag;
  return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
}
