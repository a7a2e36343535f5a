/** The battery's cases for the audit log. */
export const AUDIT_CASES = {
  'GET /company/audit-log': { access: 'platform.admins.view' as const },
  'GET /company/audit-log.csv': { access: 'platform.admins.view' as const },
  'GET /operator/audit-log': { access: 'operator' as const },
  'GET /operator/audit-log.csv': { access: 'operator' as const },
  'GET /operator/audit-log/verification': { access: 'operator' as const },
};
