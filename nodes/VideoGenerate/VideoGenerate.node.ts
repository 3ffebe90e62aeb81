import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchVideoModels } from '../shared/fields/searchModels';
import { videoGenerateFields } from './fields';
import { generateVideos } from './generateVideos';

export class VideoGenerate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Video Generate',
		name: 'videoGenerate',
		icon: { light: 'file:../../icons/video.svg', dark: 'file:../../icons/video.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value || $parameter["model"] }}',
		description: 'Render a video from a text prompt, optionally starting from an image',
		defaults: { name: 'Video Generate' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true }],
		properties: videoGenerateFields,
	};

	methods = { listSearch: { searchVideoModels } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await generateVideos(this)];
	}
}
