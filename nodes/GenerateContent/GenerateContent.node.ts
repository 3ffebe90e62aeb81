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
		builderHint: {
			searchHint:
				'Writes texts with Gemini models (for videos, use Video Generate), at Google or a gateway that speaks its protocol, such as New API or LiteLLM. For a storyboard, set outputFormat to "json" with a jsonSchemaExample: the answer is in the field json, so split a list of shots with Split Out (json.shots) before Video Generate. With outputFormat "image", it makes a picture for the first frame of a video, and with "audio", it reads a text aloud as a WAV file. For conversations with memory and tools, use an AI Agent.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-video-generation.videoGenerate',
					relationHint: 'Renders a video from each prompt',
				},
				{
					nodeType: 'n8n-nodes-base.splitOut',
					relationHint: 'Makes one item of each shot in the JSON answer',
				},
			],
		},
		properties: generateContentFields,
	};

	methods = {
		credentialTest: { testTextCredential },
		listSearch: {
			async searchTextModels(this: ILoadOptionsFunctions, filter?: string) {
				const { searchModels } = await import('../shared/fields/searchModels');
				const { TEXT_MODELS } = await import('./textModels');
				return await searchModels(this, TEXT_MODELS, filter);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { generateTexts } = await import('./generateTexts');
		return [await generateTexts(this)];
	}
}
