import type { ErrorDetail } from '../../platform/errors.ts';
import { readBound } from './prices.bounds.ts';
import { FIELDS_OF_MODELS } from './prices.fields.ts';
import type { CreatePriceBody } from './prices.schema.ts';

/** The problems of a price whose fields are each valid. */
export function findProblems(body: CreatePriceBody): ErrorDetail[] {
  return [...checkFieldsOfModel(body), ...checkTiers(body.tiers ?? []), ...checkEnd(body)];
}

function checkFieldsOfModel(body: CreatePriceBody): ErrorDetail[] {
  return Object.entries(FIELDS_OF_MODELS).flatMap(([field, models]) => {
    const isGiven = body[field as keyof typeof FIELDS_OF_MODELS] !== undefined;
    if (isGiven === models.includes(body.model)) return [];
    return [
      { field, message: isGiven ? `is not for the model ${body.model}` : `is required by the model ${body.model}` },
    ];
  });
}

function checkTiers(tiers: NonNullable<CreatePriceBody['tiers']>): ErrorDetail[] {
  return tiers.flatMap(({ upTo }, index) => {
    const message = checkBound(upTo, tiers[index - 1]?.upTo ?? 0, index === tiers.length - 1);
    return message === null ? [] : [{ field: `tiers[${index}].upTo`, message }];
  });
}

function checkBound(upTo: number | null, before: number, isLast: boolean): string | null {
  if (isLast) return upTo === null ? null : 'must be null: the last tier has no end';
  if (upTo === null) return 'must be a number: only the last tier has no end';
  return upTo > before ? null : 'must be greater than in the tier before';
}

function checkEnd({ effectiveFrom, effectiveTo }: CreatePriceBody): ErrorDetail[] {
  return effectiveTo == null || readBound(effectiveTo).at > readBound(effectiveFrom).at
    ? []
    : [{ field: 'effectiveTo', message: 'must be after effectiveFrom' }];
}
