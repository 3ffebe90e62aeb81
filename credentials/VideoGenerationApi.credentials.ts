import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { checkRequest, toVideoKey } from '../nodes/shared/service/credential';

/** The services with addresses, and schemas of models, of their own. */
const NAMED = ['fal', 'kie', 'replicate'];

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
			default: 'auto',
			description: 'The service that renders the videos, or the kind of its API',
			options: [
				{
					name: 'Auto',
					value: 'auto',
					description: 'New API, or OpenAI Videos if the service does not have that route',
				},
				{
					name: 'Custom Paths',
					value: 'customPaths',
					description: 'Other paths, which you find in the documentation of the service',
				},
				{ name: 'fal', value: 'fal', description: 'Your account at fal.ai' },
				{ name: 'kie.ai', value: 'kie', description: 'Your account at kie.ai' },
				{
					name: 'LiteLLM and OpenAI Videos',
					value: 'openAiVideos',
					description: 'POST /v1/videos, used by OpenAI and LiteLLM',
				},
				{
					name: 'New API',
					value: 'videoGenerations',
					description: 'POST /v1/video/generations, used by New API and services built on it',
				},
				{ name: 'Replicate', value: 'replicate', description: 'Your account at replicate.com' },
			],
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The address of the service, without /v1. The API key is only sent there.',
			displayOptions: { hide: { api: NAMED } },
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Sent to the service in the header Authorization',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://proxy.example.com',
			description:
				"Only needed for a proxy: empty means the service's own address. The API key is only sent there.",
			displayOptions: { show: { api: NAMED } },
		},
		{
			displayName: 'Submit Path',
			name: 'submitPath',
			type: 'string',
			default: '',
			placeholder: 'e.g. /v1/video/create',
			description: 'The path, after the Base URL, that video requests are sent to',
			displayOptions: { show: { api: ['customPaths'] } },
		},
		{
			displayName: 'Task Path',
			name: 'taskPath',
			type: 'string',
			default: '',
			placeholder: 'e.g. /v1/tasks/{id}',
			description: 'The path that returns the state of a task. {id} stands for the task ID.',
			displayOptions: { show: { api: ['customPaths'] } },
		},
		{
			displayName: 'Settings',
			name: 'settings',
			type: 'options',
			default: 'auto',
			displayOptions: { hide: { api: NAMED } },
			description: 'How settings such as Duration and Aspect Ratio are written in a request',
			options: [
				{
					name: 'Auto',
					value: 'auto',
					description:
						'By Model for New API, OpenAI for LiteLLM, otherwise all usual spellings side by side',
				},
				{
					name: 'By Model',
					value: 'byModel',
					description:
						'As New API reads them for each model family. Settings that it would drop are refused.',
				},
				{
					name: 'OpenAI',
					value: 'openAi',
					description: 'As OpenAI spells them: seconds, size, input_reference',
				},
				{
					name: 'Plain',
					value: 'plain',
					description: 'One name for each: duration, aspect_ratio, resolution, image',
				},
			],
		},
		{
			displayName: 'Request Body',
			name: 'requestBody',
			type: 'options',
			default: 'auto',
			options: [
				{
					name: 'Auto',
					value: 'auto',
					description: 'JSON, or a form if the service asks for one',
				},
				{ name: 'Form Data', value: 'form', description: 'Multipart, with images as files' },
				{ name: 'JSON', value: 'json' },
			],
			displayOptions: { show: { api: ['auto', 'openAiVideos', 'customPaths'] } },
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
