import { MAIL_LANGUAGES, type MailLanguage } from '../../../platform/feature/mail-declaration.ts';

/** Chooses among our languages by `Accept-Language` (RFC 9110, 12.5.4); English where it names none of them. */
export function languageOf(header: string | undefined): MailLanguage {
  const asked = (header ?? '').slice(0, 1_000).split(',').map(readRange);
  const wanted = asked.filter(({ quality }) => quality > 0).sort((one, other) => other.quality - one.quality);
  for (const { primary } of wanted) {
    const found = MAIL_LANGUAGES.find((language) => language === primary);
    if (found !== undefined) return found;
  }
  return 'en';
}

/** `de-AT;q=0.8` is German with the quality 0.8. */
function readRange(range: string): { primary: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { primary: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) || 0 };
}
