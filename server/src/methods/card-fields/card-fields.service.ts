// For forms that take a card.
export {
  checkCardNumber,
  checkCardText,
  checkSecurityCode,
  fullYear,
  isExpired,
  plainCardNumber,
} from './card-number.ts';
