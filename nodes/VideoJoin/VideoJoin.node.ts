import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { paysFirstHint } from '../shared/fields/common';
import { videoJoinFields } from './fields';

// n8n loads this file at startup, so the working code is imported when the node first runs.
export class VideoJoin implements INodeType {
	description: INodeTypeDescription = {
		// Longer than Video Generate, which the nodes panel is to show first for "video".
		displayName: 'Video Join (Clips to One MP4)',
		name: 'videoJoin',
		icon: { light: 'file:../../icons/join.svg', dark: 'file:../../icons/join.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["fileName"] }}',
		description:
			'Join MP4 clips into one video and add a voice or music, without ffmpeg or loss of quality',
		defaults: { name: 'Video Join' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// n8n gives a tool what the agent writes, and no files.
		usableAsTool: undefined,
		hints: [paysFirstHint],
		builderHint: {
			searchHint:
				'Joins MP4 or MOV clips, one in the binary field "data" of each item, into one film, in the order of the items. It needs no ffmpeg, Code node, Execute Command or credential. It encodes nothing, so the clips must come from one model with the same aspect ratio and resolution. It works on all items at once: connect it directly after Video Generate or Video Download, in a loop only to the output done of Loop Over Items. For several films in one run, set groupBy in options. It is no tool for an AI Agent.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-video-generation.videoGenerate', relationHint: 'Renders the clips' },
			],
		},
		properties: videoJoinFields,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { joinVideos } = await import('./joinVideos');
		return [await joinVideos(this)];
	}
}
