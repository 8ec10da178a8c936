import { verifyEndpoint } from '../../contract/schemas/verify.ts';

export default verifyEndpoint('instagram', 'verifyInstagramOwnership', 'nasa');
