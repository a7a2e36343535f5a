/** What a parameter takes and what it refuses, beyond what all of its kind do. */
export type Parameter = { takes: string[]; refuses: string[] };

const NO_WHOLE_NUMBERS = [
  '',
  'abc',
  '1e18',
  '99999999999999999999',
  '0',
  '-1',
  '1.5',
  '1.0',
  '1e2',
  '0x10',
  ' 1',
  '1 ',
  '+1',
  '--1',
];
/** The number of a page. */
export const PAGE: Parameter = {
  takes: ['1', '2', '1000000'],
  refuses: [
    ...NO_WHOLE_NUMBERS,
    'NaN',
    'Infinity',
    'null',
    'true',
    '1,2',
    '1;2',
    '٣',
    '1000001',
    '1'.repeat(10_000),
    "1'",
  ],
};
/** How many items a page has. */
export const PAGE_SIZE: Parameter = { takes: ['1', '10', '1000'], refuses: [...PAGE.refuses, '1001', '1000000000'] };

/** A decimal. */
export const AMOUNT: Parameter = {
  takes: ['0', '1.5', '-1', '90071992547409.93', '0.001', '100000000000000000000'],
  refuses: [
    '',
    ' ',
    'abc',
    'NaN',
    'Infinity',
    '-Infinity',
    'inf',
    '1e400',
    '1e200000',
    '1e18',
    '1E5',
    '0x10',
    '1,5',
    '1_000',
    '--1',
    '.',
  ].concat('1.', '1.2.3', '٣', '1 2', '9'.repeat(10_000), "1'; --"),
};
/** A date or a date-time. */
export const INSTANT: Parameter = {
  takes: ['2024-02-29', '2026-10-01', '2026-10-01T00:00:00Z', '2026-10-01T02:00:00.123+02:00', '9999-12-31'],
  refuses: [
    '',
    'abc',
    '2024-02-30',
    '2023-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-10-00',
    '0000-01-01',
    '0001-01-01T00:00:00Z',
  ]
    .concat(
      'now',
      'infinity',
      '-infinity',
      'yesterday',
      'today',
      'tomorrow',
      'epoch',
      'allballs',
      '99999-01-01',
      '+099999-01-01T00:00:00Z',
    )
    .concat(
      '10000-01-01',
      '-0001-01-01',
      '2026-10-01T00:00:00',
      '2026-10-01 00:00:00Z',
      '2026-10-01T25:00:00Z',
      '2026-10-01T24:00:00Z',
    )
    .concat(
      '2026-10-01T00:60:00Z',
      '2026-12-31T23:59:60Z',
      '2026-10-01T00:00:00+25:00',
      '2024-02-30T00:00:00Z',
      '2026-10',
      '2026',
    )
    .concat(
      '20261001',
      '1759276800',
      '01/10/2026',
      '2026-10-1',
      '2026-W40',
      "2026-10-01'",
      '2026-10-01T00:00:00Z[UTC]',
      '9'.repeat(10_000),
    ),
};
/** A UUID. */
export const ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';

/** The parameters of a list in pages. */
export const PAGES = { page: PAGE, perPage: PAGE_SIZE };
/** The same in snake case. */
export const SNAKE_PAGES = { page: PAGE, per_page: PAGE_SIZE };

/** A date-time. */
export const TIME: Parameter = { takes: ['2026-10-01T00:00:00Z'], refuses: ['', 'x', '2026-13-01', '1', 'null', "'"] };

/** The id of a company, or of something else. */
export const ANY_ID: Parameter = {
  takes: [ID, ID.toUpperCase()],
  refuses: ['', 'x', 'null', ID.slice(1), `${ID}0`, `{${ID}}`, "' OR 1=1 --", '%', '*'],
};

/** Where the next page begins. */
export const CURSOR: Parameter = { takes: [], refuses: ['', 'x', '1', '_', "'", ID, 'a'.repeat(256)] };

/** A currency. */
export const CURRENCY: Parameter = {
  takes: ['USD', 'JPY', 'KWD'],
  refuses: ['', 'usd', 'XXX', 'US', 'USD,EUR', '%', 'null'],
};

/** How an invoice is paid. */
export const METHOD: Parameter = {
  takes: ['Card', 'card', 'paypal', 'PayPal'],
  refuses: ['', 'x', 'cash', 'card,paypal', '%', 'null'],
};

/** How the tokens of any session are answered. */
export const ANY_SESSION: Parameter = {
  takes: ['cookie', 'console', 'customer', 'view'],
  refuses: ['', 'x', 'Customer', 'customer,cookie', '__Host-paydesk-customer'],
};

/** How the tokens of a user's session are answered. */
export const SESSION: Parameter = {
  takes: ['cookie', 'console'],
  refuses: ['', 'x', 'Cookie', 'customer', 'body', 'true', 'cookie,console', 'null', "cookie'", '__proto__'],
};
