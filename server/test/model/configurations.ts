import {
  ALL_BOOK_RULES,
  BOOK_PROPERTIES,
  type BookBounds,
  type BookRules,
  booksModel,
  OVERPAID_ENDS,
} from './books.ts';
import { CHARGE_HOLDS } from './charge/configurations.ts';
import { CHARGE_MUTANTS } from './charge/mutants.ts';
import { explore } from './checker/explore.ts';
import { type Configuration, configure } from './checker/model.ts';
import { ALL_CREDIT_RULES, CREDIT_ONCE, type CreditRules, creditModel, NO_REVIEW } from './credit.ts';
import {
  ALL_DOCUMENT_RULES,
  DOCUMENT_PROPERTIES,
  type DocumentBounds,
  type DocumentRules,
  documentsModel,
  NUMBERS_KEPT,
} from './documents.ts';
import { ALL_MARK_RULES, HOLDS_END, MARK_PROPERTIES, type MarkBounds, type MarkRules, marksModel } from './marks.ts';
import { ALL_PAID, ALL_USAGE_RULES, USAGE_PROPERTIES, type UsageRules, usageModel } from './usage.ts';

type About = Pick<Configuration, 'name' | 'about'> & Partial<Configuration>;

function documents(
  about: About,
  { rules, bounds }: { rules?: Partial<DocumentRules>; bounds?: Partial<DocumentBounds> },
  properties = [...DOCUMENT_PROPERTIES, NUMBERS_KEPT],
): Configuration {
  const setting = { hasJournal: true, isNoticed: true, ...bounds };
  return configure(about, properties, () => documentsModel({ ...ALL_DOCUMENT_RULES, ...rules }, setting), explore);
}

const [CAPTURED_ONCE = '', OWN_DEBT = '', HAVE_INVOICE = '', ONE_DOCUMENT = ''] = DOCUMENT_PROPERTIES;
const LATE = [CAPTURED_ONCE, OWN_DEBT, HAVE_INVOICE];

const DOCUMENTS: Configuration[] = [
  documents({ name: 'documents-journal', about: 'a restore that is noticed at once, with its journal' }, {}),
  documents({ name: 'documents-journal-lost', about: 'the journal is lost' }, { bounds: { hasJournal: false } }),
  documents({ name: 'documents-late', about: 'the hold comes late' }, { bounds: { isNoticed: false } }, LATE),
  documents(
    { name: 'documents-x-by-number', about: 'a capture pays the invoice with its number', fails: OWN_DEBT },
    { rules: { matchesBy: 'number' }, bounds: { isNoticed: false } },
    [OWN_DEBT],
  ),
  documents(
    { name: 'documents-x-by-id', about: 'the gateway is asked by the invoice’s id', fails: CAPTURED_ONCE },
    { rules: { matchesBy: 'id' }, bounds: { isNoticed: false } },
  ),
  documents(
    { name: 'documents-x-counter', about: 'the series goes on after the database’s last number', fails: ONE_DOCUMENT },
    { rules: { seriesGoesOnAfterAll: false } },
  ),
  documents(
    { name: 'documents-x-same-series', about: 'the journal is lost, and the series goes on', fails: ONE_DOCUMENT },
    { rules: { lostJournalBeginsSeries: false }, bounds: { hasJournal: false } },
  ),
  documents(
    { name: 'documents-x-issued-under-hold', about: 'documents are issued under a hold', fails: ONE_DOCUMENT },
    { rules: { holdStopsIssuing: false } },
  ),
  documents(
    { name: 'documents-x-no-reference', about: 'invoices by hand have no lasting name', fails: CAPTURED_ONCE },
    { rules: { hasReferences: false } },
  ),
  documents(
    { name: 'documents-x-not-rebuilt', about: 'a capture without invoice is only reported', fails: HAVE_INVOICE },
    { rules: { adoptsWithoutInvoice: false }, bounds: { hasJournal: false } },
  ),
  documents(
    { name: 'documents-x-not-restored', about: 'the journal’s documents are not written again', fails: NUMBERS_KEPT },
    { rules: { restoresDocuments: false } },
  ),
];

function marks(
  about: About,
  { rules, bounds }: { rules?: Partial<MarkRules>; bounds?: Partial<MarkBounds> },
  properties = MARK_PROPERTIES,
): Configuration {
  const setting = { machines: 2, marks: 3, goesBack: 1, losesJournals: false, splits: false, ...bounds };
  return configure(about, properties, () => marksModel({ ...ALL_MARK_RULES, ...rules }, setting), explore);
}

const [NOT_BLIND = '', NOT_CONFIRMED = ''] = MARK_PROPERTIES;
const ONE_MACHINE = { machines: 1 };
/** A gateway such as PayPal, whose search is hours late. */
const NO_OBJECTS = { comparesObjects: 'none' } as const;

const MARKS: Configuration[] = [
  marks({ name: 'marks-two-machines', about: 'restores and failovers under two machines', isLong: true }, {}),
  marks({ name: 'marks-small', about: 'the same with two marks' }, { bounds: { marks: 2 } }),
  marks(
    { name: 'marks-journal-lost', about: 'one machine, whose journal may be lost; the gateway is not compared' },
    { rules: NO_OBJECTS, bounds: { ...ONE_MACHINE, losesJournals: true, goesBack: 2 } },
  ),
  marks({ name: 'marks-ends', about: 'every hold ends, false alarms too' }, { bounds: { marks: 2 } }, [HOLDS_END]),
  marks(
    { name: 'marks-split', about: 'two primaries: the one that was adopted on lives', isLong: true },
    { bounds: { splits: true } },
    [HOLDS_END],
  ),
  marks(
    { name: 'marks-x-count', about: 'marks are counted, not compared', fails: NOT_BLIND },
    { rules: { ...NO_OBJECTS, marksAreRandom: false }, bounds: ONE_MACHINE },
  ),
  marks(
    { name: 'marks-x-journal-after', about: 'the journal is written afterwards', fails: NOT_BLIND },
    { rules: { ...NO_OBJECTS, journalComesFirst: false }, bounds: ONE_MACHINE },
  ),
  marks(
    { name: 'marks-x-start-only', about: 'marks are compared when a process starts', fails: NOT_BLIND },
    { rules: { checksConnections: false } },
  ),
  marks(
    { name: 'marks-x-newest-object', about: 'only the gateway’s newest object is compared', fails: NOT_BLIND },
    { rules: { comparesObjects: 'newest' } },
  ),
  marks(
    { name: 'marks-x-no-objects', about: 'two machines, and journals alone', fails: NOT_BLIND },
    { rules: NO_OBJECTS },
  ),
  marks(
    { name: 'marks-x-lost-journal', about: 'a lost journal is simply begun again', fails: NOT_BLIND },
    { rules: { ...NO_OBJECTS, lostJournalHolds: false }, bounds: { ...ONE_MACHINE, losesJournals: true } },
  ),
  marks(
    { name: 'marks-x-intents-under-hold', about: 'T1 does not read the hold', fails: NOT_BLIND },
    { rules: { holdStopsIntents: false } },
  ),
  marks(
    { name: 'marks-x-confirmed-under-hold', about: 'T2 does not read the hold', fails: NOT_CONFIRMED },
    { rules: { holdStopsConfirmations: false } },
  ),
  marks(
    { name: 'marks-x-missed-again', about: 'the end of a hold does not write what was missing', fails: HOLDS_END },
    { rules: { endWritesMarks: false }, bounds: { marks: 2 } },
    [HOLDS_END],
  ),
];

function books(
  about: About,
  { rules, bounds }: { rules?: Partial<BookRules>; bounds?: Partial<BookBounds> },
  properties = BOOK_PROPERTIES,
): Configuration {
  const setting: BookBounds = { hasJournal: true, isNoticed: true, corrections: 'before', ...bounds };
  return configure(about, properties, () => booksModel({ ...ALL_BOOK_RULES, ...rules }, setting), explore);
}

const [NO_MORE = '', REFUND_ONCE = '', VOID_UNPAID = '', REFUNDS_BOOKED = ''] = BOOK_PROPERTIES;
const AFTERWARDS = { isNoticed: false, corrections: 'after' } as const;

const BOOKS: Configuration[] = [
  books({ name: 'books-journal', about: 'a journal has voids, credit notes and payments from outside' }, {}),
  books(
    { name: 'books-person', about: 'without a journal a person releases what is open' },
    { bounds: { hasJournal: false } },
  ),
  books({ name: 'books-late', about: 'voided between the restore and the hold' }, { bounds: AFTERWARDS }, [
    REFUND_ONCE,
    VOID_UNPAID,
    OVERPAID_ENDS,
  ]),
  books(
    { name: 'books-x-no-journal', about: 'the journal has no corrections', fails: NO_MORE },
    { rules: { journalsCorrections: false } },
  ),
  books(
    { name: 'books-x-no-person', about: 'no journal, and nobody releases', fails: NO_MORE },
    { rules: { personReleases: false }, bounds: { hasJournal: false } },
  ),
  books(
    { name: 'books-x-refunds-left-out', about: 'adopting writes no refunds', fails: REFUNDS_BOOKED },
    { rules: { adoptsRefunds: false } },
  ),
  books(
    { name: 'books-x-refunded-twice', about: 'a refund’s key is random', fails: REFUND_ONCE },
    { rules: { adoptsRefunds: false, refundKeysAreLasting: false } },
    [REFUND_ONCE],
  ),
  books(
    { name: 'books-x-void-paid', about: 'a capture pays a void invoice', fails: VOID_UNPAID },
    { rules: { voidIsReviewed: false }, bounds: AFTERWARDS },
    [VOID_UNPAID],
  ),
];

function usage(about: About, rules: Partial<UsageRules>, properties = USAGE_PROPERTIES): Configuration {
  return configure(about, properties, () => usageModel({ ...ALL_USAGE_RULES, ...rules }), explore);
}

const [PAID_ONCE = '', NO_GIFT = ''] = USAGE_PROPERTIES;

const USAGE: Configuration[] = [
  usage({ name: 'usage', about: 'usage is lost, and sent again or not' }, {}, [...USAGE_PROPERTIES, ALL_PAID]),
  usage(
    { name: 'usage-x-cutoff', about: 'late usage is what came after the run', fails: PAID_ONCE },
    { comparesWithInvoices: false },
  ),
  usage(
    { name: 'usage-x-gift', about: 'a negative difference becomes credit', fails: NO_GIFT },
    { personDecidesNegative: false },
  ),
  usage(
    { name: 'usage-x-not-named', about: 'objects do not say what they took of the month', fails: PAID_ONCE },
    { objectsNameUsage: false },
  ),
];

function credit(
  about: About,
  rules: Partial<CreditRules>,
  spendsMeanwhile: boolean,
  properties = [CREDIT_ONCE],
): Configuration {
  return configure(
    about,
    properties,
    () => creditModel({ ...ALL_CREDIT_RULES, ...rules }, { spendsMeanwhile }),
    explore,
  );
}

const CREDIT: Configuration[] = [
  credit({ name: 'credit', about: 'a restore that is noticed at once' }, {}, false, [CREDIT_ONCE, NO_REVIEW]),
  credit({ name: 'credit-late', about: 'the credit may be spent again before the hold' }, {}, true),
  credit(
    { name: 'credit-x-not-named', about: 'objects do not say what credit they took', fails: NO_REVIEW },
    { objectsNameCredit: false },
    false,
    [CREDIT_ONCE, NO_REVIEW],
  ),
  credit(
    { name: 'credit-x-spent-twice', about: 'a capture whose credit is gone pays its invoice', fails: CREDIT_ONCE },
    { missingCreditIsReviewed: false },
    true,
  ),
];

/** Every configuration, those that hold and those that leave a rule out. */
export const CONFIGURATIONS: readonly Configuration[] = [
  ...CHARGE_HOLDS,
  ...CHARGE_MUTANTS,
  ...DOCUMENTS,
  ...MARKS,
  ...BOOKS,
  ...USAGE,
  ...CREDIT,
];
