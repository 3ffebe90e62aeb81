import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

/** The test of Video Generation API. n8n takes it from any of the nodes that use the credential. */
export async function testVideoCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const { testRoutes } = await import('../service/testRoutes');
	return await testRoutes(this.helpers, data);
}
