import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

const testedBy = (name: 'testVideos' | 'testTexts') =>
	async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
	): Promise<INodeCredentialTestResult> {
		return await (await import('../services/credentialTest'))[name](this.helpers, data);
	};

/** The tests of the credentials. n8n takes each from any of the nodes that use the credential. */
export const testVideoCredential = testedBy('testVideos');
export const testTextCredential = testedBy('testTexts');
