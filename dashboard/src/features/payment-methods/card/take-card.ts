import type { Address, CreateCardBody } from '@paydesk/client';

export type Fields = Record<string, FormDataEntryValue>;

/** What the API saves a card from: its number, or a setup in the gateway's own fields. */
export type TakenCard = Required<Pick<CreateCardBody, 'info'>> | Required<Pick<CreateCardBody, 'setupId'>>;

/** The fields of a card in a form. */
export type CardFieldsHandle = {
  /**
   * Takes the card out of them.
   *
   * @param key - of the request that saves the card, for those that come before it
   * @throws FormError, and what the client throws
   */
  take: (fields: Fields, address: Address, key: string) => Promise<TakenCard>;
};
