import { verifyEndpoint } from '../../contract/schemas/verify.ts';

export default verifyEndpoint('youtube', 'verifyYoutubeOwnership', 'nasa');
