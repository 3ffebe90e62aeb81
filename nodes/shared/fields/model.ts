import type { INodeProperties } from 'n8n-workflow';

/** Shown where the service lists no models: the examples of its documentation. */
export const DOCUMENTED_VIDEO_MODELS = [
	'doubao-seedance-1-5-pro-251215',
	'dreamina-seedance-2-0-fast',
	'veo-3.1-fast-generate-001',
	'veo-3.1-lite-generate-001',
];

export const DOCUMENTED_TEXT_MODELS = [
	'gemini-2.5-flash',
	'gemini-2.5-pro',
	'gemini-3-flash-preview',
	'gemini-3-pro-preview',
	'gemini-3.1-pro-preview',
];

/** A model as a resource locator: from a list, or typed. */
export function modelField(
	searchListMethod: string,
	defaultModel: string,
	description: string,
): INodeProperties {
	return {
		displayName: 'Model',
		name: 'model',
		type: 'resourceLocator',
		default: { mode: 'list', value: defaultModel, cachedResultName: defaultModel },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a model...',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${defaultModel}`,
			},
		],
	};
}
