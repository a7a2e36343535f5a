import { findCountryCode, listCountries } from '../../../platform/countries/countries.service.ts';
import type { MailLanguage } from '../../../platform/feature/mail-declaration.ts';
import { html, type Markup, type Piece } from '../../../platform/http/reference/markup.ts';
import { nameCard } from '../../mails/payment-mails.texts.ts';
import type { CardField } from './notice.ts';
import type { InvoiceOnPage } from './page.queries.ts';
import type { Money, Page } from './page.types.ts';
import { reasonOf } from './texts/texts.ts';
import type { PageTexts } from './texts/words.ts';

/** The part of the page with which an invoice is paid. */
export function payPanel(page: Page, t: PageTexts, money: Money): Markup {
  const { invoice, saved, fields, notice } = page;
  const takesCards = invoice.method !== 'paypal' && fields.kind !== 'none';
  const newCard = takesCards && newCardForm(page, t, money);
  const isOpen = notice?.kind === 'check_card' || (page.state === 'failed' && notice === null);
  return html`<section class="panel">
<h2>${t.pay.title}</h2>
${messagesOf(page, t)}
${saved !== null && savedForm(page, saved, t, money)}
${
  saved === null || newCard === false
    ? newCard
    : html`<details${isOpen && html` open`}><summary>${t.pay.otherCard}</summary>${newCard}</details>`
}
${saved === null && newCard === false && html`<p>${invoice.method === 'paypal' ? t.pay.noPaypal : t.pay.noCard}</p>`}
${fields.kind === 'sandbox' && newCard !== false && html`<p class="hint">${t.sandbox.replaceAll(/(\d{4}) (?=\d)/g, '$1\u00a0')}</p>`}
</section>`;
}

/** Why the last payment failed, or what came of what was just sent. */
function messagesOf({ state, invoice: { lastPayment }, notice }: Page, t: PageTexts): Piece {
  if (notice !== null) return html`<p class="message bad" role="alert">${t.notices[notice.kind]}</p>`;
  if (state !== 'failed') return false;
  const { failureReason = null, declineCode = null } = lastPayment ?? {};
  if (failureReason !== 'declined') return html`<p class="message bad" role="alert">${t.pay.failed}</p>`;
  const { reason, next } = reasonOf(declineCode);
  return html`<div class="message bad" role="alert">
<p><strong>${t.pay.failed}</strong></p>
<p>${t.reasons[reason]} ${t.next[next]}</p>
</div>`;
}

/** The last payment as the page knows it: a form that is sent twice begins no second one. */
function hidden(invoice: InvoiceOnPage, card: 'saved' | 'new'): Markup {
  return html`<input type="hidden" name="card" value="${card}">
<input type="hidden" name="after" value="${invoice.lastPayment?.id ?? 'none'}">`;
}

function savedForm({ path, invoice }: Page, saved: NonNullable<Page['saved']>, t: PageTexts, money: Money): Markup {
  const isMandate = saved !== 'paypal' && saved.brand === 'sepa_debit';
  const label = saved === 'paypal' ? 'PayPal' : isMandate ? t.pay.mandate : t.pay.saved;
  const name = saved === 'paypal' ? t.pay.paypal : nameCard(saved);
  return html`<form method="post" action="${path}">${hidden(invoice, 'saved')}
<p class="source"><span class="label">${label}</span> <span>${name}</span></p>
<button class="button wide">${t.pay.amount(money(invoice.amountDue))}</button>
</form>`;
}

function newCardForm(page: Page, t: PageTexts, money: Money): Markup {
  const { path, invoice, fields, language } = page;
  const pay = html`<p class="hint">${t.pay.newCardHint}</p>
<button class="button wide">${t.pay.amount(money(invoice.amountDue))}</button>`;
  if (fields.kind === 'stripe') {
    return html`<form method="post" action="${path}" class="fields" data-stripe="${fields.publishableKey}"
data-amount="${invoice.amountDue}" data-currency="${invoice.currency.toLowerCase()}" data-language="${language}"
data-failed="${t.notices.unavailable}">${hidden(invoice, 'new')}
<input type="hidden" name="paymentMethod" value=""><noscript><p>${t.pay.noCard}</p></noscript>
<div class="stripe"></div><p class="error" role="alert" hidden></p>${pay}</form>`;
  }
  return html`<form method="post" action="${path}" class="fields">
${hidden(invoice, 'new')}${sandboxFields(page, t)}${pay}
</form>`;
}

function sandboxFields({ notice, language, invoice }: Page, t: PageTexts): Markup {
  const wrong = notice?.wrong ?? [];
  const field = (name: CardField, label: string, control: (described: Markup) => Markup): Markup => {
    const isWrong = wrong.includes(name);
    const marked = isWrong && html` aria-invalid="true" aria-describedby="${name}-error"`;
    const focused = wrong[0] === name && html` autofocus`;
    const described = html`id="${name}" name="${name}" required${marked}${focused}`;
    const error = isWrong && html`<p class="error" id="${name}-error">${t.wrong[name]}</p>`;
    return html`<div class="field ${name}"><label for="${name}">${label}</label>${control(described)}${error}</div>`;
  };
  const text = (name: CardField, label: string, more: Markup) =>
    field(name, label, (described) => html`<input ${described} ${more}>`);
  const digits = (autocomplete: string, length: number, pattern: string, placeholder: string) =>
    html`inputmode="numeric" autocomplete="${autocomplete}" maxlength="${length}" pattern="${pattern}" placeholder="${placeholder}"`;
  const select = (described: Markup) => html`<select ${described} autocomplete="country">
<option value="">${t.fields.chooseCountry}</option>${countries(language, invoice)}
</select>`;
  return html`${text('cardNumber', t.fields.cardNumber, digits('cc-number', 30, '[\\d\\s\\-]{12,30}', '1234 1234 1234 1234'))}
${text('expMonth', t.fields.expMonth, digits('cc-exp-month', 2, '\\d{1,2}', 'MM'))}
${text('expYear', t.fields.expYear, digits('cc-exp-year', 4, '\\d{2}|20\\d{2}', t.fields.yearHint))}
${text('cvv', t.fields.cvv, digits('cc-csc', 4, '\\d{3,4}', '123'))}
${text('cardName', t.fields.cardName, html`autocomplete="cc-name" maxlength="255"`)}
${field('country', t.fields.country, select)}`;
}

function countries(language: MailLanguage, { buyerCountry }: InvoiceOnPage): Markup[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const chosen = findCountryCode(buyerCountry);
  return listCountries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, language))
    .map(({ code, name }) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`);
}
