-- The payment or refund whose review decides a case that was left to a person.
ALTER TABLE recovery_cases ADD COLUMN review_of uuid;
