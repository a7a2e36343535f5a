import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import type { GatewayObject } from '../../gateways/gateway/gateway.objects.ts';

/** Something that a gateway or a journal has and the database lacks, found during a hold. */
export type RecoveryCase = {
  id: string;
  /** The nil UUID where the company is not known. */
  companyId: string;
  /** Its external id, as the journal's entry or the gateway's object has it. */
  companyExternalId: string | null;
  holdId: string;
  source: 'gateway' | 'journal';
  /** Of a gateway: `payment` or `refund`. Of a journal: the kind of its entry. */
  kind: string;
  /** The mark of the journal's entry, or our id that the gateway's object carries. */
  mark: string | null;
  /** The id of the row that the journal's entry is about. */
  subject: string | null;
  gateway: string | null;
  /** The gateway's id of the object. */
  objectId: string | null;
  /** By the journal where it knows, else by the gateway. */
  happenedAt: Date;
  /**
   * The journal's document, digit for digit, or the gateway's object, which `readObject` reads. Null of a document that was gone when the
   * journal got its mark, and of what is done.
   */
  content: string | null;
  request: JournalEntry['request'] | null;
  state: 'open' | 'done' | 'person';
  /** What was done, or what a person has to do. */
  note: string | null;
  foundAt: Date;
  decidedAt: Date | null;
};

/** Writes a gateway's object as the content of its case. */
export function writeObject(object: GatewayObject): string {
  return JSON.stringify(object, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Reads the gateway's object from the content of its case. */
export function readObject(content: string): GatewayObject {
  return JSON.parse(content, function (this: { kind?: unknown }, name, value) {
    const isOfObject = this.kind === 'payment' || this.kind === 'refund';
    if (isOfObject && name.endsWith('Minor') && value !== null) return BigInt(value);
    return isOfObject && name === 'createdAt' ? new Date(value) : value;
  }) as GatewayObject;
}
