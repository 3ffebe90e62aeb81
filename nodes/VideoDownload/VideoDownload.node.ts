import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { paysFirstHint } from '../shared/fields/common';
import { testVideoCredential } from '../shared/fields/testCredential';
import { videoDownloadFields } from './fields';

// n8n loads this file at startup, so the working code is imported when the node first runs.
export class VideoDownload implements INodeType {
	description: INodeTypeDescription = {
		// Longer than Video Generate, which the nodes panel is to show first for "video".
		displayName: 'Video Download (by Task ID or URL)',
		name: 'videoDownload',
		icon: { light: 'file:../../icons/download.svg', dark: 'file:../../icons/download.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["source"] === "url" ? "From a URL" : "From a Task" }}',
		description: 'Download a generated video, image or sound as a file',
		defaults: { name: 'Video Download' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true, testedBy: 'testVideoCredential' }],
		hints: [paysFirstHint],
		builderHint: {
			searchHint:
				'Gets the file of a task_id, or of an address, into the binary field "data". Do not add it after Video Generate unless downloadVideo is off there or wait is "none", because Video Generate downloads by itself. Use it after the output Done of Video Status, or with the task_id of an earlier run. Downloads are free.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-video-generation.videoGenerate',
					relationHint:
						'Submits the videos and returns each task_id; downloads by itself by default',
				},
			],
		},
		properties: videoDownloadFields,
	};

	methods = { credentialTest: { testVideoCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { downloadVideos } = await import('./downloadVideos');
		return [await downloadVideos(this)];
	}
}
