import { verifyEndpoint } from './verify-ownership.ts';

export default verifyEndpoint('instagram', 'verifyInstagramOwnership', 'nasa');
