import { ServiceError } from '../../../kernel/errors.ts';
import { companySlug } from '../../../platforms/linkedin.ts';
import type { Services } from '../../services.ts';

/**
 * A company's slug in a path or query.
 * @throws {ServiceError} `invalid_request` if it violates the grammar.
 */
export const resolveCompanySlug = (
  services: Pick<Services, 'adapterOf' | 'asked'>,
  input: string,
  path: string,
): string => {
  const handle = services
    .adapterOf('linkedin')
    .parseHandle(input.startsWith('company:') ? input : `company:${input}`);
  const slug = handle === null ? null : companySlug(handle);
  if (slug === null) {
    throw new ServiceError('invalid_request', 'This is not a company of LinkedIn.', {
      details: [{ path, message: "not a slug: letters, digits and _ . & ' - only, at most 100 characters" }],
    });
  }
  services.asked?.({ platform: 'linkedin', account: `company:${slug}` });
  return slug;
};
