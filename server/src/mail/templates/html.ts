import type { MailParts } from './mails.ts';
import { writeHtml, writeText } from './names.ts';

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';
const ONE_LINE = 'white-space:nowrap';
/** Numbers of documents, such as INV-000001. */
const NUMBERS = /(?<![\w-])[A-Z]\w{0,11}(?:-\w{1,12}){0,2}-\d{1,12}(?![\w-])/g;

/** Inline styles of a text, by its colour, size and height of a line in pixels. */
const letters = (color: string, size: number, height: number) =>
  `color:${color};font-size:${size}px;line-height:${height}px;${FONT};${WRAP}`;
const [TEXT, MUTED] = ['#1b2029', '#5b6472'];

/** For programs that know them; all others read the styles of the elements. */
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){
.page{background:#15171c!important}
.card{background:#22252d!important;border-color:#363b46!important}
.text{color:#eceef2!important}
.muted{color:#a9b0bd!important}
.line{border-color:#363b46!important}
.command{background:#15171c!important;color:#eceef2!important}
.button{background:#7aa2ff!important}
.button a{color:#10131a!important}
}`;

/** The HTML of a mail: tables and inline styles, because mail clients know little else. It loads nothing. */
export function layOutHtml(language: string, { seller, greeting, message, link }: MailParts): string {
  const { subject, paragraphs, rows = [], command, button, notes } = message;
  const action = link === null || button === undefined ? '' : buttonHtml(button, link);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${writeHtml(writeText(subject))}</title>
<style>${STYLE}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f4f7">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="muted" style="padding:0 4px 12px;font-weight:600;${letters(MUTED, 15, 22)}">${writeHtml(seller)}</td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #dfe3e9;border-radius:10px">
<h1 class="text" style="margin:0 0 20px;font-weight:600;${letters(TEXT, 21, 29)}">${lineHtml(subject)}</h1>
${[greeting, ...paragraphs].map(paragraphHtml).join('\n')}
${rows.length === 0 ? '' : rowsHtml(rows)}${command === undefined ? '' : commandHtml(command)}${action}${notes.map(noteHtml).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function paragraphHtml(text: string): string {
  return `<p class="text" style="margin:0 0 16px;${letters(TEXT, 16, 25)}">${lineHtml(text)}</p>`;
}

/** A text in which no number of a document breaks at its hyphen. */
function lineHtml(text: string): string {
  return writeHtml(text).replace(NUMBERS, `<span style="${ONE_LINE}">$&</span>`);
}

/** Figures below one another: a label, and its value at the right edge. */
function rowsHtml(rows: NonNullable<MailParts['message']['rows']>): string {
  const lines = rows.map(([label, value]) => {
    const line = 'padding:8px 0;border-top:1px solid #dfe3e9;vertical-align:top';
    const wholeWords = 'word-break:normal;overflow-wrap:normal';
    return `<tr><td class="muted line" style="${line};${letters(MUTED, 15, 22)};${wholeWords}">${writeHtml(label)}</td>
<td class="text line" align="right" style="${line};padding-left:16px;${letters(TEXT, 15, 22)}">${writeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
${lines.join('\n')}
</table>
`;
}

const CODE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

/** A line never breaks within a word: `--` at its end and `adopt` on the next would be another command. */
function commandHtml(text: string): string {
  const words = text.split(' ').map((word) => `<span style="${ONE_LINE}">${writeHtml(word)}</span>`);
  const style = `margin:0 0 24px;padding:12px 14px;background:#f2f4f7;border-radius:6px;color:${TEXT};font-size:14px;line-height:21px`;
  return `<p class="command" style="${style};${CODE}">${words.join(' ')}</p>\n`;
}

function noteHtml(text: string): string {
  return `<p class="muted" style="margin:0 0 8px;${letters(MUTED, 14, 21)}">${writeHtml(text)}</p>`;
}

const BUTTON = 'display:inline-block;padding:13px 22px;font-weight:600;text-decoration:none';

/** A cell with a background, which is a button everywhere. */
function buttonHtml(label: string, link: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td class="button" style="background:#2353c7;border-radius:6px">
<a href="${writeHtml(link)}" style="${BUTTON};${letters('#ffffff', 16, 22)}">${writeHtml(label)}</a>
</td></tr>
</table>
`;
}
