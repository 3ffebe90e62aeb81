import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import {
	ANSWER_RULES,
	BASE_URL_EXPRESSION,
	forKeyOf,
	PROBE_STATUS_ERRORS,
	TEXT_PROBE,
} from '../nodes/shared/service/credential';

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
			description: 'Where requests carry the API key. Prefer the header, because proxies log URLs.',
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
		const safe = forKeyOf(credentials, request);
		const key = String(credentials.apiKey ?? '').trim();
		if (credentials.keyLocation === 'query') return { ...safe, qs: { ...safe.qs, key } };
		const name = String(credentials.headerName ?? '').trim() || 'x-goog-api-key';
		return { ...safe, headers: { ...safe.headers, [name]: key } };
	}

	// Asks for a made-up model on the documented path: this spends no tokens and needs no listing.
	// With a good key, the service answers that the model does not exist (503, on some deployments 400
	// or 404); with a bad key, it answers 401.
	test: ICredentialTestRequest = {
		request: {
			baseURL: BASE_URL_EXPRESSION,
			url: TEXT_PROBE,
			method: 'POST',
			body: { contents: [{ parts: [{ text: 'credential test' }] }] },
			json: true,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: PROBE_STATUS_ERRORS,
		},
		rules: ANSWER_RULES,
	};
}
