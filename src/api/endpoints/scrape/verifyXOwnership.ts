import { verifyEndpoint } from '../../contract/schemas/verify.ts';

export default verifyEndpoint('x', 'verifyXOwnership', 'nasa');
