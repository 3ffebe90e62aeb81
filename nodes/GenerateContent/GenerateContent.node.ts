import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testTextCredential } from '../shared/fields/testCredential';
import { generateContentFields } from './fields';

// n8n loads this file at startup, so the working code is imported when the node first runs.
export class GenerateContent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Generate Content',
		name: 'generateContent',
		icon: { light: 'file:../../icons/text.svg', dark: 'file:../../icons/text.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value ?? $parameter["model"] }}',
		description: 'Generate text, JSON, images or audio with Gemini models',
		defaults: { name: 'Generate Content' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'geminiCompatibleApi', required: true, testedBy: 'testTextCredential' }],
		properties: generateContentFields,
	};

	methods = {
		credentialTest: { testTextCredential },
		listSearch: {
			async searchTextModels(this: ILoadOptionsFunctions, filter?: string) {
				const search = await import('../shared/fields/searchModels');
				return await search.searchModels(this, 'text', filter);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { generateTexts } = await import('./generateTexts');
		return [await generateTexts(this)];
	}
}
