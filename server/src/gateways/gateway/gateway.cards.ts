/**
 * Cards at a gateway: those whose numbers Paydesk passes on, and those of setups, whose numbers the holder types into the gateway's own
 * fields in a browser, so that Paydesk never has them.
 */

/** A card as its holder typed it. It is in memory only, on its way to `tokenizeCard`. */
export type CardDetails = {
  number: string;
  securityCode: string;
  expMonth: number;
  expYear: number;
  name: string;
  country: string;
  holder: CardHolder;
};

/**
 * Whose card it is. `companyExternalId` is the id that the operator's product has for the company, and `customer` the gateway's, from an
 * earlier card; null or absent when there is none.
 */
export type CardHolder = { companyId: string; companyExternalId?: string | null; customer: string | null };

/**
 * `customer` is the gateway's id of the company, to be passed with its next card; absent where the gateway keeps no
 * customers.
 */
export type TokenizedCard = { token: string; brand: string; customer?: string };

/** Who a customer at a gateway is. `name` is empty and `email` null where they are not known. */
export type CustomerDescription = {
  companyId: string;
  companyExternalId: string | null;
  /** The gateway's id of the company. */
  customer: string;
  name: string;
  email: string | null;
};

/** What a setup saves: a card, or a mandate for SEPA direct debits. */
export type SetupMethod = 'Card' | 'sepa_debit';

/** `setupId` is our id of the setup, which the gateway keeps beside its own. */
export type SetupRequest = { setupId: string; method: SetupMethod; holder: CardHolder };

/** `clientSecret` lets the browser confirm the setup, and nothing else. `customer` as with a card. */
export type CreatedSetup = { id: string; clientSecret: string; customer?: string };

/** `requires_action` waits for the confirmation of the bank. */
export type SetupStatus = 'requires_payment_method' | 'requires_action' | 'succeeded';

/**
 * What the gateway tells of a card whose number it does not show. `name` and `country` are empty where it does not know them.
 * `fingerprint` is the same for each save of a card at this gateway.
 */
export type ConfirmedCard = TokenizedCard & {
  lastFour: string;
  expMonth: number;
  expYear: number;
  name: string;
  country: string;
  fingerprint: string;
  method?: 'Card';
};

/** By which the holder of an account allows debits. The bank shows `reference` with each of them. */
export type Mandate = { reference: string; acceptedAt: Date };

/**
 * What the gateway tells of an account that SEPA direct debits are collected from. `country` and `lastFour` are of its IBAN, `mandate` is
 * null where the gateway has none for it. The rest is as with a card.
 */
export type ConfirmedDebit = {
  method: 'sepa_debit';
  token: string;
  customer?: string;
  lastFour: string;
  name: string;
  country: string;
  fingerprint: string;
  mandate: Mandate | null;
};

/** What came of the question of a bank. */
export type ChallengeStatus = 'succeeded' | 'failed';

/** `card` is null until the setup has succeeded. */
export type GatewaySetup = { status: SetupStatus; card: ConfirmedCard | ConfirmedDebit | null };

/** A card as its holder types it into the sandbox's fields. */
export type TypedCard = {
  number: string;
  securityCode: string;
  expMonth: number;
  expYear: number;
  name: string;
  country: string;
};

/** An account as its holder types it into the sandbox's fields, who accepts the mandate by it. `iban` has no spaces. */
export type TypedDebit = { iban: string; name: string };

/**
 * Why the fields refuse. `unknown`: no such client secret. `nothing_to_confirm`: what it belongs to does not wait for this. `other_method`:
 * the setup saves something else.
 */
export type FieldsRefusal = 'unknown' | 'nothing_to_confirm' | 'other_method';

/** The part of a gateway that has fields of its own. */
export type GatewayFields = {
  /** The key with which the gateway's script in the browser names the account. */
  publishableKey: string;
  /** Begins a setup; moves no money. */
  createSetup(request: SetupRequest): Promise<CreatedSetup>;
  /** Reads a setup. Rejects with `rejected` for an unknown one. */
  findSetup(gatewaySetupId: string): Promise<GatewaySetup>;
  /**
   * Takes a card that the script has made in the browser, by the gateway's id of it, to charge it once: it has to be nobody's, and stays
   * so. Rejects with `rejected` for any other. Absent where the script makes no cards without a setup.
   */
  takeOnce?(id: string, holder: CardHolder): Promise<TokenizedCard & { fingerprint: string }>;
  /** What a browser would do at a gateway without a script of its own: the sandbox alone has it. */
  browser?: {
    confirmSetup(
      clientSecret: string,
      typed: { card: TypedCard } | { sepaDebit: TypedDebit },
    ): Promise<SetupStatus | FieldsRefusal>;
    /** Answers the question of the bank, about a setup or a payment, in the holder's place. */
    answerChallenge(clientSecret: string, outcome: 'succeed' | 'fail'): Promise<ChallengeStatus | FieldsRefusal>;
  };
};
