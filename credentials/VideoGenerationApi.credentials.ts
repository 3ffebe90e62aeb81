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
	PROBES,
	probeStatusErrors,
	VIDEO_KEY_RULE,
} from '../nodes/shared/service/credential';
import { toKey } from '../nodes/shared/service/redact';

export class VideoGenerationApi implements ICredentialType {
	name = 'videoGenerationApi';

	displayName = 'Video Generation API';

	icon: Icon = { light: 'file:../icons/video.svg', dark: 'file:../icons/video.dark.svg' };

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
			description: 'The address of the service, without /v1. The API key is only sent there.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Sent to the service as "Authorization: Bearer ..."',
		},
		{
			displayName: 'Allow Private Addresses',
			name: 'allowPrivateAddresses',
			type: 'boolean',
			default: false,
			description: 'Whether videos and images may come from hosts in your private network',
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const safe = forKeyOf(credentials, request);
		const key = toKey(String(credentials.apiKey ?? ''));
		return { ...safe, headers: { ...safe.headers, Authorization: `Bearer ${key}` } };
	}

	// Asks for a made-up task on the documented poll path: every deployment has this path, with or
	// without listings, and it costs nothing. With a good key, the service answers that the task does
	// not exist; with a bad key, it answers 401.
	test: ICredentialTestRequest = {
		request: {
			baseURL: BASE_URL_EXPRESSION,
			url: PROBES.video,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: probeStatusErrors(503),
		},
		rules: [...ANSWER_RULES, VIDEO_KEY_RULE],
	};
}
