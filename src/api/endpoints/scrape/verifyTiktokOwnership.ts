import { verifyEndpoint } from '../../contract/schemas/verify.ts';

export default verifyEndpoint('tiktok', 'verifyTiktokOwnership', 'tiktok');
