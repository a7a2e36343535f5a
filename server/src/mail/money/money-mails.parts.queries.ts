import { constantPart, type Part, type Queryable } from '../../platform/database/database.ts';
import { MAIL_LANGUAGES } from '../../platform/feature/mail-declaration.ts';
import type { MoneyMail } from './money-mails.service.ts';

/** A mail that can't be sent for this long tells of what is long over. */
const SEND_WITHIN_HOURS = 72;

/**
 * A statement that inserts a mail for each row of `addressed`: `company_id`, `invoice_id`, `facts` with what the mail is about,
 * `language`, `recipients` and `wait_seconds`. They are due when these seconds have passed, or kept where there is no mail server.
 */
export function insertMoneyMails(db: Queryable, { type, texts, files = [] }: MoneyMail, addressed: Part): Part {
  const subjects = Object.fromEntries(MAIL_LANGUAGES.map((tag) => [tag, texts[tag].subject('{about}', '{seller}')]));
  return db`
    INSERT INTO mails (company_id, id, type, is_about_money, invoice_id, language, recipients, subject, facts, attachments, status,
                       next_attempt_at, give_up_at)
    SELECT addressed.company_id, time_ordered_id(), ${type}, true, addressed.invoice_id, tag, addressed.recipients,
           replace(replace(${JSON.stringify(subjects)}::text::json ->> tag, '{about}', about), '{seller}', ${sellerName(db)}),
           addressed.facts || jsonb_build_object('sellerName', seller.name),
           replace(${JSON.stringify(files.map((file) => ({ ...file, size: null })))}, '{about}', about)::jsonb,
           CASE WHEN mail_server.is_set THEN 'queued' ELSE 'kept' END,
           CASE WHEN mail_server.is_set THEN now() + make_interval(secs => addressed.wait_seconds) END,
           now() + make_interval(hours => ${SEND_WITHIN_HOURS})
    FROM ${addressed} AS addressed CROSS JOIN seller CROSS JOIN mail_server
    CROSS JOIN LATERAL (SELECT facts ->> 'about' AS about,
                               CASE WHEN language IN ('en', 'de', 'fr', 'es') THEN language ELSE 'en' END AS tag) AS chosen`;
}

const sellerName = constantPart((db) => db`coalesce(nullif(seller.name, ''), 'Paydesk')`);
