import { use } from 'react';
import { createTranslator } from 'use-intl/core';
import { useLanguage } from './language.ts';

/** The shape of a catalogue in another language: the keys of the English one, with texts of its own. A missing key does not compile. */
export type Translation<Messages> = {
  [Key in keyof Messages]: Messages[Key] extends string ? string : Translation<Messages[Key]>;
};

type Texts = { readonly [key: string]: string | Texts };
type Language = ReturnType<typeof useLanguage>;

/** A chunk for each folder and language, so that a page loads what it shows in one language. */
const CATALOGUES = import.meta.glob<Texts>('../{features/*,shell,lists,forms,format,codes}/messages/{en,de,fr,es}.ts', {
  import: 'messages',
});

const translators = new Map<string, Promise<unknown>>();

/**
 * Returns the hook that translates with the catalogue of a folder, such as `features/invoices`. The hook suspends while the catalogue
 * loads.
 */
export function textOf<Messages extends Texts>(folder: string): () => Translator<Messages> {
  return () => use(translatorOf(folder, useLanguage()) as Promise<Translator<Messages>>);
}

type Translator<Messages extends Texts> = ReturnType<typeof createTranslator<Messages>>;

function translatorOf(folder: string, language: Language): Promise<unknown> {
  const name = `../${folder}/messages/${language}.ts`;
  const known = translators.get(name);
  if (known !== undefined) return known;
  const load = CATALOGUES[name];
  if (load === undefined) throw new Error(`There is no catalogue ${name}.`);
  const made = load().then((messages) =>
    createTranslator({ locale: language, messages, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  );
  translators.set(name, made);
  return made;
}
