import { formatAmount, formatDay } from '../../../mail/money/money-mails.service.ts';
import type { MailLanguage } from '../../../platform/feature/mail-declaration.ts';
import { html, type Markup, type Piece } from '../../../platform/http/reference/markup.ts';
import type { Assets } from './assets.ts';
import { detailsOf } from './page.details.ts';

import { payPanel } from './page.form.ts';
import type { Money, Page } from './page.types.ts';
import { TEXTS } from './texts/texts.ts';
import type { PageTexts } from './texts/words.ts';

/** Draws the page of an invoice. */
export function drawPage(page: Page, assets: Assets): string {
  const { language, invoice, state, path } = page;
  const t = TEXTS[language];
  const seller = invoice.seller || t.noSeller;
  const money = (amount: string) => formatAmount(language, { amount, currency: invoice.currency });
  const amount = state === 'paid' || state === 'void' ? invoice.total : invoice.amountDue;
  const body = html`<main class="page" data-state="${state}">
<header class="top">
<p class="seller">${seller}</p>
<h1 class="number">${t.invoice(invoice.number)}</h1>
<p class="amount"><span class="label">${headlineOf(page, t)}</span> <strong>${money(amount)}</strong></p>
<p class="day">${dayOf(page, t)}</p>
<p class="file"><a class="link" href="${path}/pdf">${t.pdf}</a></p>
</header>
${panelOf(page, t, money)}
${detailsOf({ language, invoice, seller, texts: t.details, money })}
</main>`;
  const script = page.fields.kind === 'stripe' && (state === 'due' || state === 'failed');
  return layOut({ language, title: `${t.invoice(invoice.number)} · ${seller}`, body, assets, withStripe: script });
}

/** Draws a page that says why there is no invoice on it. */
export function drawError(language: MailLanguage, kind: keyof PageTexts['errors'], assets: Assets): string {
  const { title, text } = TEXTS[language].errors[kind];
  const body = html`<main class="page alone"><section class="panel"><h1>${title}</h1><p>${text}</p></section></main>`;
  return layOut({ language, title, body, assets, withStripe: false });
}

type Layout = { language: MailLanguage; title: string; body: Markup; assets: Assets; withStripe: boolean };

function layOut({ language, title, body, assets: { urls }, withStripe }: Layout): string {
  const scripts =
    withStripe &&
    html`<script src="https://js.stripe.com/v3/" defer></script><script src="${urls.stripe}" defer></script>`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${urls.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${urls.style}">
${scripts}
</head>
<body>
${body}
</body>
</html>
`.markup;
}

function headlineOf({ state }: Page, { headlines }: PageTexts): string {
  if (state === 'paid') return headlines.paid;
  return state === 'void' ? headlines.void : headlines.due;
}

function dayOf({ language, invoice, state }: Page, t: PageTexts): string {
  const day = (instant: Date) => formatDay(language, instant, invoice.timezone);
  if (state === 'void' && invoice.voidedAt !== null) return t.voidedOn(day(invoice.voidedAt));
  if (state === 'paid') return invoice.paidAt === null ? '' : t.paidOn(day(invoice.paidAt));
  return t.dueOn(day(invoice.dueAt));
}

/** What can be done, or what has been. */
function panelOf(page: Page, t: PageTexts, money: Money): Markup {
  switch (page.state) {
    case 'due':
    case 'failed':
      return payPanel(page, t, money);
    case 'confirm':
      return confirmPanel(page, t);
    case 'processing':
      return html`<section class="panel calm" aria-live="polite">
<h2>${page.waiting === 'hold' ? t.processing.paused : t.processing.title}</h2>
<p>${t.processing[page.waiting ?? 'charge']}</p>
${page.waiting === 'charge' && html`<p><a class="button quiet" href="${page.path}">${t.processing.again}</a></p>`}
</section>`;
    case 'paid':
      return html`<section class="panel good" aria-live="polite">${CHECK}
<h2>${t.paid.title}</h2>
<p>${page.invoice.status === 'Succeeded' ? t.paid.text : t.paid.nothingDue}</p>
</section>`;
    case 'void':
      return html`<section class="panel calm"><h2>${t.void.title}</h2><p>${t.void.text}</p></section>`;
  }
}

const CHECK = html`<svg class="check" viewBox="0 0 24 24" width="40" height="40" aria-hidden="true">
<circle cx="12" cy="12" r="11"/><path d="m7.5 12.5 3 3 6-6.5"/>
</svg>`;

function confirmPanel({ path, confirmation, notice }: Page, { confirm, notices }: PageTexts): Markup {
  const message = notice !== null && html`<p class="message bad" role="alert">${notices[notice.kind]}</p>`;
  return html`<section class="panel"><h2>${confirm.title}</h2>${message}<p>${confirm.text}</p>${actionOf()}</section>`;

  function actionOf(): Piece {
    switch (confirmation?.kind) {
      case 'bank':
        return html`<p><a class="button" href="${confirmation.url}">${confirm.open}</a></p>`;
      case 'ask':
        return html`<form method="post" action="${path}/confirm"><button class="button">${confirm.approve}</button></form>`;
      case 'sandbox':
        return html`<form method="post" action="${path}/confirm" class="two">
<button class="button" name="outcome" value="succeed">${confirm.approve}</button>
<button class="button quiet" name="outcome" value="fail">${confirm.refuse}</button>
</form>
<p class="hint">${confirm.sandbox}</p>`;
      default:
        return false;
    }
  }
}
