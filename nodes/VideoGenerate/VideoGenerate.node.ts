import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { videoGenerateFields } from './fields';

// n8n loads this file at its start, so what runs is imported by the first run.
export class VideoGenerate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Video Generate',
		name: 'videoGenerate',
		icon: { light: 'file:../../icons/video.svg', dark: 'file:../../icons/video.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value || $parameter["model"] }}',
		description:
			'Generate a video from a prompt or an image, with models such as Veo and Seedance; each video is billed',
		defaults: { name: 'Video Generate' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true }],
		waitingNodeTooltip:
			'The execution sleeps until the videos are ready and resumes by itself. Its sub-executions in the executions list show each task.',
		// All that the editor can show while a node runs: it writes progress to the browser's console.
		hints: [
			{
				message:
					'A render takes a few minutes and is billed. The browser console (F12) shows its progress.',
				displayCondition: '={{ $parameter.wait === "inProcess" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
			{
				message:
					'Each video is billed. The execution sleeps; the first check comes after 66 seconds (after Head Start, if set).',
				displayCondition: '={{ $parameter.wait === "durable" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
			{
				message: 'Each video is billed when it is submitted. Follow its task with Video Status.',
				displayCondition: '={{ $parameter.wait === "none" }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		properties: videoGenerateFields,
	};

	methods = {
		listSearch: {
			async searchVideoModels(this: ILoadOptionsFunctions, filter?: string) {
				const search = await import('../shared/fields/searchModels');
				return await search.searchVideoModels.call(this, filter);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { generateVideos } = await import('./generateVideos');
		return [await generateVideos(this)];
	}
}
