import { isUtf8 } from 'node:buffer';
import {
  checkCardNumber,
  checkCardText,
  checkSecurityCode,
  fullYear,
  isExpired,
  plainCardNumber,
} from '../../methods/card-fields/card-fields.service.ts';
import { ApiError } from '../../platform/errors.ts';
import { CARD_FIELDS, type CardField } from './page/notice.ts';

type TypedCard = Record<'cardName' | 'cardNumber' | 'cvv' | 'country', string> & Record<'expMonth' | 'expYear', number>;

const MAX_TEXT_LENGTH = 255;

/**
 * Reads a form's fields. Of a field that is there twice, the first one counts.
 * @throws ApiError unsupported_media_type, invalid_request
 */
export function readForm(contentType: string, encoding: string | undefined, body: Buffer): URLSearchParams {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if ((charset !== undefined && !/^utf-?8$/i.test(charset)) || !/^identity$/i.test(encoding ?? 'identity')) {
    throw new ApiError('unsupported_media_type', 'The form must be sent as it is, in UTF-8.');
  }
  if (!isUtf8(body)) throw new ApiError('invalid_request', 'The form is not valid UTF-8.');
  return new URLSearchParams(body.toString('utf8'));
}

/** Reads a card that was typed. @returns the fields that are wrong, if any are */
export function readCard(form: URLSearchParams, now: Date): { card: TypedCard } | { wrong: CardField[] } {
  const text = (field: CardField) => (form.get(field) ?? '').trim();
  const year = text('expYear');
  const card: TypedCard = {
    cardName: text('cardName'),
    cardNumber: plainCardNumber(text('cardNumber')),
    expMonth: Number(text('expMonth')),
    expYear: fullYear(Number(year)),
    cvv: text('cvv'),
    country: text('country'),
  };
  const isMonth = /^\d{1,2}$/.test(text('expMonth')) && card.expMonth >= 1 && card.expMonth <= 12;
  const isYear = /^(?:\d{2}|20\d{2})$/.test(year);
  const isOver = isMonth && isYear && isExpired(card.expMonth, card.expYear, now);
  const isWrong: Record<CardField, boolean> = {
    cardName: !isText(card.cardName),
    cardNumber: checkCardNumber(card.cardNumber).length > 0,
    expMonth: !isMonth || (isOver && card.expYear >= now.getUTCFullYear()),
    expYear: !isYear || (isOver && card.expYear < now.getUTCFullYear()),
    cvv: checkSecurityCode(card.cvv).length > 0,
    country: !isText(card.country),
  };
  const wrong = CARD_FIELDS.filter((field) => isWrong[field]);
  return wrong.length > 0 ? { wrong } : { card };
}

function isText(text: string): boolean {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return text !== '' && text.length <= MAX_TEXT_LENGTH && isStorable && checkCardText(text).length === 0;
}
