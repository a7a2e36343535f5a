import { type Actor, expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { pageText, type ReadPdf, readPdf } from './pdf.ts';

/** Downloads a PDF. */
export async function fetchPdfAt(
  service: TestService,
  { token }: Actor,
  path: string,
): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Downloads an invoice's PDF. */
export async function fetchPdf(service: TestService, actor: Actor, invoiceId: string) {
  return fetchPdfAt(service, actor, `/payments/orders/${invoiceId}/pdf`);
}

type WholePdf = ReadPdf & { bytes: Buffer; text: string };

function readWhole(bytes: Buffer): WholePdf {
  const pdf = readPdf(bytes);
  return { ...pdf, bytes, text: pdf.pages.map(pageText).join('\n') };
}

/** Reads the texts of an invoice's PDF: all of them, and those of each page. */
export async function readInvoicePdf(service: TestService, actor: Actor, invoiceId: string): Promise<WholePdf> {
  return readWhole((await fetchPdf(service, actor, invoiceId)).bytes);
}

/** Reads the texts of a credit note's PDF in the same way. */
export async function readCreditNotePdf(service: TestService, actor: Actor, creditNoteId: string): Promise<WholePdf> {
  return readWhole((await fetchPdfAt(service, actor, `/payments/credit-notes/${creditNoteId}/pdf`)).bytes);
}

/** Reads the texts of the sample invoice of a changed seller. */
export async function readSellerSample(service: TestService, body: object): Promise<WholePdf> {
  const headers = { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' };
  const url = `${service.url}/operator/seller/preview`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`the preview answered ${response.status}: ${await response.text()}`);
  return readWhole(Buffer.from(await response.arrayBuffer()));
}

/** Changes the seller's details. */
export async function changeSeller(service: TestService, body: object): Promise<void> {
  expectStatus(await service.call('PUT', '/operator/seller', { token: service.operatorKey, body }), 200);
}

/** Requests a credit note. */
export async function credit(
  service: TestService,
  invoiceId: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = `/operator/invoices/${invoiceId}/credit-notes`;
  return service.call('POST', path, {
    token: service.operatorKey,
    body: { reason: 'Outage of 3 October', ...body },
    headers,
  });
}

/** Requests that an invoice is voided. */
export async function voidInvoice(service: TestService, invoiceId: string): Promise<Answer> {
  return service.call('POST', `/operator/invoices/${invoiceId}/void`, { token: service.operatorKey });
}
