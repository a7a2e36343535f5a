import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Wiederherstellung',
  description: 'Was eine wiederhergestellte Sicherung zu tun lässt. Belastungen warten, bis die Bücher übereinstimmen.',
  calm: 'Nichts wiederherzustellen',
  calmText: 'Die Datenbank ist dort, wo sie nach Gateways und Journalen sein soll.',
  held: 'Belastungen sind angehalten',
  since: 'Seit',
  until: 'Mindestens bis',
  lastPass: 'Letzter Abgleich',
  steps: 'Was zu tun ist',
  stepAdopt: 'Die Datenbank mit Gateways und Journalen zusammenführen:',
  stepCases: 'Entscheiden, was unten steht. Die Sperre endet von selbst, wenn nichts offen ist.',
  journals: 'Journale',
  journal: 'Journal',
  seen: 'Gesehen',
  missing: 'Fehlt',
  complete: 'Vollständig',
  cases: 'Fälle',
  what: 'Was',
  plan: 'Was der Abgleich tut',
  states: {
    open: 'Offen',
    person: 'Für einen Menschen',
    done: 'Erledigt',
  },
  empty: {
    title: 'Keine Fälle',
    text: 'Ein Fall erscheint hier, wenn einer wiederhergestellten Datenbank etwas fehlt.',
  },
};
