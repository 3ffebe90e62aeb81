import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testVideoCredential } from '../shared/fields/testCredential';
import { videoGenerateFields, videoGenerateHints } from './fields';

const choicesOf = (choice: 'duration' | 'aspectRatio' | 'resolution') =>
	async function (this: ILoadOptionsFunctions) {
		return await (await import('./choices')).loadChoices(this, choice);
	};

// n8n loads this file at startup, so the working code is imported when the node first runs.
export class VideoGenerate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Video Generate',
		name: 'videoGenerate',
		icon: { light: 'file:../../icons/video.svg', dark: 'file:../../icons/video.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value ?? $parameter["model"] }}',
		description:
			'Generate videos, images, voices and music with models such as Veo, Kling and Flux. Each one is billed.',
		defaults: { name: 'Video Generate' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true, testedBy: 'testVideoCredential' }],
		waitingNodeTooltip:
			'The execution sleeps until the videos are ready and resumes by itself. Its sub-executions in the executions list show each task.',
		hints: videoGenerateHints,
		builderHint: {
			searchHint:
				'Use it in place of HTTP Request for videos of fal, Google (Gemini Omni), Replicate, Runway, kie.ai, LiteLLM, OpenRouter, New API and similar services, and for any other model of fal, Replicate, kie.ai and WaveSpeed: images, voices, lip sync, captions, upscaling, music. It submits one video for each item, waits until all are ready, and puts each file into the binary field "data" (further ones of an item into "data_1", "data_2"; what a model writes is in "text"): add no Wait node, no polling loop and no Loop Over Items. Each video is billed, so pass exactly one item for each wanted video. Leave model to the person: its list depends on the credential. For renders that must survive a restart, set wait to "durable". For an image file as the first frame, set imageSource to "binary". For an AI Agent, attach it with tool(), together with Video Status, and let the agent only fill in the prompt.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-video-generation.videoJoin',
					relationHint: 'Makes one film of the clips; connect it directly after Video Generate',
				},
				{
					nodeType: 'n8n-nodes-video-generation.videoDownload',
					relationHint: 'Only if downloadVideo is off, or for the task_id of an earlier run',
				},
				{
					nodeType: 'n8n-nodes-video-generation.videoStatus',
					relationHint:
						'Only if wait is "none", and beside Video Generate as a tool of an AI Agent',
				},
				{
					nodeType: 'n8n-nodes-video-generation.generateContent',
					relationHint: 'Writes the prompts, or a storyboard as JSON',
				},
			],
		},
		properties: videoGenerateFields,
	};

	methods = {
		credentialTest: { testVideoCredential },
		loadOptions: {
			getDurations: choicesOf('duration'),
			getAspectRatios: choicesOf('aspectRatio'),
			getResolutions: choicesOf('resolution'),
			async getModelFields(this: ILoadOptionsFunctions) {
				return await (await import('./choices')).loadModelFields(this);
			},
			async getFamilies(this: ILoadOptionsFunctions) {
				return await (await import('./choices')).loadFamilies(this);
			},
		},
		listSearch: {
			async searchVideoModels(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			) {
				const { searchModels } = await import('../shared/fields/searchModels');
				const { VIDEO_MODELS } = await import('./videoModels');
				return await searchModels(this, VIDEO_MODELS, filter, paginationToken);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { generateVideos } = await import('./generateVideos');
		return [await generateVideos(this)];
	}
}
