import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Verkäufer',
  description: 'Wer die Rechnungen ausstellt. Spätere Änderungen ändern bestehende Rechnungen nicht.',
  name: 'Name',
  address: 'Anschrift, zeilenweise',
  taxId: 'Steuernummer',
  email: 'E-Mail',
  footer: 'Fußzeile',
  legal: 'Rechtlicher Hinweis',
  saved: 'Der Verkäufer ist gespeichert',
  preview: 'Vorschau',
  previewText: 'Eine Musterrechnung mit dem, was im Formular steht. Bis zum Speichern wird nichts behalten.',
  openPreview: 'Vorschau öffnen',
  notShown: 'Dieser Browser zeigt kein PDF in einer Seite. Öffnen Sie stattdessen die Vorschau.',
};
