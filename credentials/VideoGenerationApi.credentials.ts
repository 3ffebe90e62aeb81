import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { checkRequest, toVideoKey } from '../nodes/shared/services/credential';
import { DEFAULT_PATHS } from '../nodes/shared/services/customPaths';
import { SERVICES } from '../nodes/shared/services/list';

/** The services with addresses of their own. */
const WITH_ADDRESS = SERVICES.filter(({ origins }) => origins).map(({ name }) => name);

// The nodes that use it test it (`testedBy`): one address alone may not tell about the key.
export class VideoGenerationApi implements ICredentialType {
	name = 'videoGenerationApi';

	displayName = 'Video Generation API';

	icon: Icon = { light: 'file:../icons/video.svg', dark: 'file:../icons/video.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-video-generation/n8n-nodes-video-generation/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Service',
			name: 'api',
			type: 'options',
			default: 'newApi',
			description: 'The service that renders the videos, or the kind of its API',
			options: SERVICES.map(({ label, name, description }) => ({
				name: label,
				value: name,
				description,
			})),
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The address of the service, without /v1. The API key is only sent there.',
			displayOptions: { hide: { api: WITH_ADDRESS } },
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
			displayName: 'Submit Path',
			name: 'submitPath',
			type: 'string',
			default: DEFAULT_PATHS.submitPath,
			placeholder: 'e.g. /v1/video/create',
			description:
				'The path, after the Base URL, that video requests are sent to. {model} stands for the model.',
			displayOptions: { show: { api: ['customPaths'] } },
		},
		{
			displayName: 'Task Path',
			name: 'taskPath',
			type: 'string',
			default: DEFAULT_PATHS.taskPath,
			placeholder: 'e.g. /v1/tasks/{id}',
			description: 'The path that returns the state of a task. {id} stands for the task ID.',
			displayOptions: { show: { api: ['customPaths'] } },
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-API-Key',
			description:
				'The header that carries the API key alone. If it is empty, the key goes as Authorization: Bearer.',
			displayOptions: { show: { api: ['customPaths'] } },
		},
		{
			displayName: 'Proxy URL',
			name: 'proxyUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://proxy.example.com',
			description:
				'Only for a proxy of your own. All requests, and the API key, then go there in place of the service.',
			displayOptions: { show: { api: WITH_ADDRESS } },
		},
		{
			displayName: 'Allow Private Addresses',
			name: 'allowPrivateAddresses',
			type: 'boolean',
			default: false,
			description: 'Whether videos and images can come from hosts in your private network',
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		checkRequest(credentials, request);
		return { ...request, headers: { ...request.headers, ...toVideoKey(credentials).headers } };
	}
}
