import type { Paydesk, PaydeskOptions } from '../../../packages/client/src/index.ts';

/* The companies of a trial: who they are, how much they use, and how their latest invoice stands. */

export type DemoCompany = {
  name: string;
  person: { firstName: string; lastName: string };
  address: { streetAddress: string; zipCode: string; city: string; country: string };
  currency: 'USD' | 'EUR' | 'GBP';
  /** In percent. */
  taxRate: string;
  /** A test number of the sandbox. */
  cardNumber: string;
  /** How much it uses beside the others. */
  scale: number;
  /** How the invoice of the last month stands; those before it are paid. */
  latest: 'paid' | 'refunded' | 'due' | 'credited' | 'overdue' | 'failed';
};

export type Access = {
  operator: Paydesk['operator'];
  connect: (credentials?: Pick<PaydeskOptions, 'accessToken'>) => Paydesk;
};

/** A company that has signed up, with the client of its person. */
export type SignedUp = DemoCompany & { id: string; client: Paydesk; addressId: string };

/** Of everybody in the demo, which listens on this machine alone. */
export const PASSWORD = 'Correct-horse-7';

const VISA = '4242424242424242';
const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';

type Row = [
  name: string,
  person: string,
  address: string,
  currency: DemoCompany['currency'],
  taxRate: string,
  cardNumber: string,
  scale: number,
  latest: DemoCompany['latest'],
];

const ROWS: readonly Row[] = [
  ['Analytical Engines Ltd', 'Ada Lovelace', '12 St James Square|SW1Y 4JH|London|GB', 'GBP', '20', VISA, 9, 'due'],
  ['Hopper Compilers Inc', 'Grace Hopper', '1 Navy Yard|20374|Washington|US', 'USD', '0', AMEX, 14, 'refunded'],
  ['Curie Laboratoires SAS', 'Marie Curie', '11 rue Cuvier|75005|Paris|FR', 'EUR', '20', VISA, 6, 'overdue'],
  ['Franklin Imaging Ltd', 'Rosalind Franklin', 'Strand 152|WC2R 2LS|London|GB', 'GBP', '20', MASTERCARD, 5, 'failed'],
  ['Noether Symmetrie GmbH', 'Emmy Noether', 'Am Markt 4|37073|Göttingen|DE', 'EUR', '19', VISA, 8, 'paid'],
  ['Cajal Tejidos SL', 'Santiago Ramón', 'Calle de Alcalá 5|28014|Madrid|ES', 'EUR', '21', VISA, 3, 'credited'],
  ['Turing Machines Ltd', 'Alan Turing', '78 High Street|MK3 6EB|Bletchley|GB', 'GBP', '20', VISA, 11, 'due'],
  ['Johnson Trajectories LLC', 'Katherine Johnson', '8 Langley Drive|23681|Hampton|US', 'USD', '0', VISA, 12, 'paid'],
  ['Lamarr Radio GmbH', 'Hedy Lamarr', 'Ringstraße 21|1010|Wien|AT', 'EUR', '20', MASTERCARD, 4, 'paid'],
  [
    'Kovalevskaya Dynamics AB',
    'Sofja Kovalevskaya',
    'Norrtullsgatan 9|113 29|Stockholm|SE',
    'EUR',
    '25',
    VISA,
    7,
    'due',
  ],
  ['Germain Plaques SARL', 'Sophie Germain', '13 rue de Savoie|69002|Lyon|FR', 'EUR', '20', VISA, 2, 'overdue'],
  ['Liskov Abstractions Inc', 'Barbara Liskov', '32 Vassar Street|02139|Cambridge|US', 'USD', '0', VISA, 16, 'paid'],
];

export const COMPANIES: readonly DemoCompany[] = ROWS.map(
  ([name, person, address, currency, taxRate, cardNumber, scale, latest]) => {
    const [firstName = '', lastName = ''] = person.split(' ');
    const [streetAddress = '', zipCode = '', city = '', country = ''] = address.split('|');
    return {
      ...{ name, currency, taxRate, cardNumber, scale, latest },
      person: { firstName, lastName },
      address: { streetAddress, zipCode, city, country },
    };
  },
);

/** The e-mail with which its person logs in. The domain is for examples alone (RFC 2606). */
export function emailOf({ person: { firstName, lastName }, name }: DemoCompany): string {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replaceAll(/[^a-zA-Z]+/g, '')
      .toLowerCase();
  return `${plain(firstName)}.${plain(lastName)}@${plain(name.split(' ')[0] ?? '')}.example`;
}
