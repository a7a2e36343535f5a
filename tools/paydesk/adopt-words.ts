import { readCompanyId } from '../../server/src/platform/http/company-ids/company-id.ts';
import { TerminalError } from './access.ts';

/** What `reconcile --adopt` is asked for. */
export type AdoptWords = {
  /** Whether to do it; otherwise it only tells. */
  yes: boolean;
  json: boolean;
  isJournalLost: boolean;
  /** Folders of journals of other machines. */
  journals: string[];
  companies: { companyId: string; newCompanyId: string }[];
  /** The gateway's id of a payment to refund, which no invoice here gets. */
  refund: string | null;
  /** The gateway's id of a payment that is credit of its company from now on, because another one has paid the invoice. */
  accept: string | null;
  /** The numbers of the invoices to release, none for all of them; null without `--release`. */
  release: string[] | null;
};

const USAGE = `Usage: npm run paydesk -- reconcile --adopt [--yes] [--json] [--journal <folder>]… [--journal-lost]
         [--company <old>=<new>]…
         [--accept <gateway's payment>] [--refund <gateway's payment>] [--release [<number>…]]

Without --yes, the command only shows what a restored database lacks, and what Paydesk will do about it.
  --yes                  does it
  --json                 prints one JSON object
  --journal <folder>     reads a journal from a folder, such as a copy from another machine
  --journal-lost         gives up the journals that were not read, or that went back in time with the database
  --company <old>=<new>  assigns everything that a lost company had to another company, a UUID or external:<external id>
  --accept <payment>     accepts the second capture of a debt, by the gateway's id, as credit of the company
  --refund <payment>     refunds a capture, by the gateway's id, that no invoice here gets
  --release [<number>…]  allows charges of invoices that wait because a journal was lost; without numbers, of all of them`;

/** Reads the words after `reconcile`. @throws TerminalError with the usage */
export function readAdoptWords(words: readonly string[]): AdoptWords {
  const read: AdoptWords = {
    yes: false,
    json: false,
    isJournalLost: false,
    journals: [],
    companies: [],
    refund: null,
    accept: null,
    release: null,
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    switch (word) {
      case '--adopt':
        break;
      case '--yes':
        read.yes = true;
        break;
      case '--json':
        read.json = true;
        break;
      case '--journal-lost':
        read.isJournalLost = true;
        break;
      case '--journal':
        read.journals.push(takeValue(rest));
        break;
      case '--company':
        read.companies.push(readCompany(takeValue(rest)));
        break;
      case '--refund':
        read.refund = takeValue(rest);
        break;
      case '--accept':
        read.accept = takeValue(rest);
        break;
      case '--release':
        read.release = takeValues(rest);
        break;
      default:
        throw new TerminalError(USAGE);
    }
  }
  return read;
}

function takeValue(rest: string[]): string {
  const value = rest.shift();
  if (value === undefined || value.startsWith('--')) throw new TerminalError(USAGE);
  return value;
}

function takeValues(rest: string[]): string[] {
  const end = rest.findIndex((word) => word.startsWith('--'));
  return rest.splice(0, end === -1 ? rest.length : end);
}

/** An external id may contain `=`, so the text is split where it leaves a company's id on both sides. */
function readCompany(text: string): AdoptWords['companies'][number] {
  const parts = text.split('=');
  const pairs = parts.slice(1).map((_part, index) => ({
    companyId: parts.slice(0, index + 1).join('='),
    newCompanyId: parts.slice(index + 1).join('='),
  }));
  const [pair, ...others] = pairs.filter((ids) => Object.values(ids).every((id) => readCompanyId(id) !== null));
  if (pair === undefined) throw new TerminalError(USAGE);
  if (others.length > 0) {
    throw new TerminalError(`--company ${text} can be read in more than one way. Name the companies by their UUIDs.`);
  }
  return pair;
}
