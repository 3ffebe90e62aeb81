import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { checkRequest, toNativeKey } from '../nodes/shared/services/credential';

// The node that uses it tests it (`testedBy`).
export class GeminiCompatibleApi implements ICredentialType {
	name = 'geminiCompatibleApi';

	displayName = 'Gemini-Compatible API';

	icon: Icon = { light: 'file:../icons/text.svg', dark: 'file:../icons/text.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-video-generation/n8n-nodes-video-generation/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The address of the service, without /v1beta. The API key is only sent there.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
		},
		{
			displayName: 'API Key Location',
			name: 'keyLocation',
			type: 'options',
			options: [
				{ name: 'Header', value: 'header' },
				{ name: 'Query Parameter', value: 'query' },
			],
			default: 'header',
			description: 'Where to send the API key. Prefer the header, because proxies log URLs.',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'x-goog-api-key',
			displayOptions: { show: { keyLocation: ['header'] } },
			description: 'The name of the header that carries the API key',
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		checkRequest(credentials, request);
		const { headers, qs } = toNativeKey(credentials);
		return {
			...request,
			headers: { ...request.headers, ...headers },
			qs: { ...request.qs, ...qs },
		};
	}
}
