import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { paysFirstHint } from '../shared/fields/common';
import { testVideoCredential } from '../shared/fields/testCredential';
import { videoStatusFields } from './fields';

// n8n loads this file at startup, so the working code is imported when the node first runs.
export class VideoStatus implements INodeType {
	description: INodeTypeDescription = {
		// In the nodes panel, the shortest of the names that begin with a searched word comes first:
		// for "video" that is to be Video Generate.
		displayName: 'Video Status (by Task ID)',
		name: 'videoStatus',
		icon: { light: 'file:../../icons/status.svg', dark: 'file:../../icons/status.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["durableStep"] }}',
		description: 'Check the progress of videos that Video Generate submitted',
		defaults: { name: 'Video Status' },
		inputs: [NodeConnectionTypes.Main],
		// A step of Durable has outputs of its own: the second leads back (`durableSteps.ts`).
		outputs: `={{ $parameter["durableStep"]
			? [{ type: "main", displayName: "Next" }, { type: "main", displayName: "Again" }]
			: $parameter["routeByState"] === false
				? [{ type: "main" }]
				: [
					{ type: "main", displayName: "Done" },
					{ type: "main", displayName: "Rendering" },
					{ type: "main", displayName: "Failed" },
				] }}`,
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true, testedBy: 'testVideoCredential' }],
		waitingNodeTooltip: 'The execution sleeps until the videos are ready and resumes by itself',
		hints: [paysFirstHint],
		builderHint: {
			searchHint:
				'Checks each task once, and routes its item to one of three outputs, in this order: Done, Rendering, Failed. It is only needed if wait of Video Generate is "none", or for the task_id of another workflow: otherwise, Video Generate waits by itself. Loop: Video Generate, Wait (2 minutes), Video Status; connect Rendering back to Wait, Done to Video Download, and handle Failed. As a tool of an AI Agent, it waits by itself for up to 45 seconds: let the agent fill in taskId.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-video-generation.videoDownload',
					relationHint: 'Gets the files of the output Done',
				},
			],
		},
		properties: videoStatusFields,
	};

	methods = { credentialTest: { testVideoCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { workDurableStep } = await import('./durableSteps');
		const { checkVideos } = await import('./checkVideos');
		return (await workDurableStep(this)) ?? (await checkVideos(this));
	}
}
