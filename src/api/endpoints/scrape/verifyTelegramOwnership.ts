import { verifyEndpoint } from '../../contract/schemas/verify.ts';

export default verifyEndpoint('telegram', 'verifyTelegramOwnership', 'durov');
