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

Without --yes it only tells what a database that went back lacks, and what will be done about it.
  --yes                  does it
  --json                 prints one object
  --journal <folder>     reads the journal of another machine
  --journal-lost         says that the journals that were not read, or that went back too, will not come back
  --company <old>=<new>  books what belonged to a company that is lost to another one
  --accept <payment>     accepts a second capture of a debt as credit of the company, by the gateway's id
  --refund <payment>     refunds a capture that no invoice here gets, by the gateway's id
  --release [<number>…]  lets invoices be charged that wait because a journal was lost, all without numbers`;

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

function readCompany(text: string): AdoptWords['companies'][number] {
  const [companyId, newCompanyId, ...others] = text.split('=');
  if (!companyId || !newCompanyId || others.length > 0) throw new TerminalError(USAGE);
  return { companyId, newCompanyId };
}
