import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText } from '../../platform/http/schema/validation.ts';

export const TokenBody = namedObject('TokenBody', {
  token: secretText({
    description: 'Works once, until it expires or a newer one replaces it.',
    examples: ['dGhlIGxpbmsgaW4gdGhlIG1haWwgaGFzIHRoZSB0b2tlbg'],
  }),
});

export const NoData = namedObject('NoData', { error: Type.Null(), data: Type.Null() });
