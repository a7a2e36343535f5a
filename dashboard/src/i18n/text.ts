import { createTranslator } from 'use-intl/core';
import { currentLanguage, type Language, useLanguage } from './language.ts';

/** The shape of a catalogue in another language: the keys of the English one, with texts of its own. A missing key does not compile. */
export type Translation<Messages> = {
  [Key in keyof Messages]: Messages[Key] extends string ? string : Translation<Messages[Key]>;
};

type Texts = { readonly [key: string]: string | Texts };

/** A chunk for each folder and language, so that a page loads what it shows in one language. */
const CATALOGUES = import.meta.glob<Texts>('../{features/*,shell,lists,forms,format,codes}/messages/{en,de,fr,es}.ts', {
  import: 'messages',
});

type Translating = { loading: Promise<unknown>; loaded?: unknown; failure?: unknown };

const FAILURE_SHOWN_MS = 500;

const translators = new Map<string, Translating>();
/** Whose texts the code that has loaded needs. */
const folders = new Set<string>();

/**
 * Returns the hook that translates with the catalogue of a folder, such as `features/invoices`. The catalogue loads with the code that
 * uses it: a part of a page that is shown later, such as a dialog's table while somebody types, then has nothing to wait for. Until it is
 * there, the hook suspends.
 */
export function textOf<Messages extends Texts>(folder: string): () => Translator<Messages> {
  folders.add(folder);
  translatorOf(folder, currentLanguage());
  return () => {
    const { loading, loaded, failure } = translatorOf(folder, useLanguage());
    if (failure !== undefined) throw failure;
    // Not by `use`: a component that suspends by it for one catalogue after the other loses its hooks (React's error 467).
    if (loaded === undefined) throw loading;
    return loaded as Translator<Messages>;
  };
}

/** Waits until the texts of the code that has loaded are there. What needs a text that could not be loaded shows the failure. */
export async function settleTexts(): Promise<void> {
  await Promise.allSettled([...folders].map((folder) => translatorOf(folder, currentLanguage()).loading));
}

type Translator<Messages extends Texts> = ReturnType<typeof createTranslator<Messages>>;

function translatorOf(folder: string, language: Language): Translating {
  const name = `../${folder}/messages/${language}.ts`;
  const known = translators.get(name);
  if (known !== undefined) return known;
  const load = CATALOGUES[name];
  if (load === undefined) throw new Error(`There is no catalogue ${name}.`);
  const translating: Translating = {
    loading: load().then((messages) => {
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      translating.loaded = createTranslator({ locale: language, messages, timeZone });
      return translating.loaded;
    }),
  };
  // What needs the catalogue shows the failure; a try after that loads it again.
  translating.loading.catch((error: unknown) => {
    translating.failure = error;
    setTimeout(() => translators.delete(name), FAILURE_SHOWN_MS);
  });
  translators.set(name, translating);
  return translating;
}
