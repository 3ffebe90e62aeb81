import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { downloadVideos } from './downloadVideos';
import { videoDownloadFields } from './fields';

export class VideoDownload implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Video Download',
		name: 'videoDownload',
		icon: { light: 'file:../../icons/download.svg', dark: 'file:../../icons/download.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["source"] === "url" ? "from a URL" : "of a task" }}',
		description: 'Download the file of a rendered video',
		defaults: { name: 'Video Download' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true }],
		properties: videoDownloadFields,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await downloadVideos(this)];
	}
}
