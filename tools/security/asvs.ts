import { readFileSync } from 'node:fs';

/** Tests name the requirements that they show. Every other requirement says where it is documented, or why it is not met. */
export type Requirement = { number: string; level: 1 | 2; asks: string; where?: string; why?: string };

type Chapter = { title: string; note?: string; requirements: Requirement[] };

/**
 * The requirements of the levels 1 and 2 of OWASP's Application Security Verification Standard 5.0.0 in the chapters on authentication,
 * sessions, authorization, tokens and OpenID Connect, in our own words (https://github.com/OWASP/ASVS).
 */
export const CHAPTERS: readonly Chapter[] = JSON.parse(readFileSync(new URL('asvs.json', import.meta.url), 'utf8'));
