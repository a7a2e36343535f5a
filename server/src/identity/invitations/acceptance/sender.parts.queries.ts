import { constantPart } from '../../../platform/database/database.ts';

/** Who has sent an invitation: a member, if with an API key also that, or the operator with one of its keys or as one of the staff. */
export type Sender = {
  userId: string | null;
  keyId: string | null;
  operatorKeyId: string | null;
  staffId: string | null;
  /** Of the operator key, or of the person. */
  senderName: string;
  /** As the company knows it: names of operator keys mean nothing there, so that they are the seller. */
  shownName: string;
};

/** SQL for `Sender`, of a row of `invitations`. */
export const senderOfInvitation = constantPart(
  (db) => db`
    invitations.invited_by AS "userId", invitations.invited_by_key AS "keyId", invitations.operator_key_id AS "operatorKeyId",
    invitations.staff_id AS "staffId", ${senderName(db)} AS "senderName",
    CASE WHEN invitations.operator_key_id IS NULL THEN ${senderName(db)}
         ELSE coalesce((SELECT nullif(name, '') FROM seller), 'Paydesk') END AS "shownName"`,
);

const senderName = constantPart(
  (db) => db`
    coalesce(invitations.operator_name,
             (SELECT users.first_name || ' ' || users.last_name FROM users WHERE users.id = invitations.invited_by))`,
);
