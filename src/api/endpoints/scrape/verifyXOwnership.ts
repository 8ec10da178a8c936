import { verifyEndpoint } from './verify-ownership.ts';

export default verifyEndpoint('x', 'verifyXOwnership', 'nasa');
