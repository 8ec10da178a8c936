import { verifyEndpoint } from './verify-ownership.ts';

export default verifyEndpoint('tiktok', 'verifyTiktokOwnership', 'tiktok');
