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
		// The steps of Durable use the first output, and the second to go on.
		outputs: `={{ $parameter["routeByState"] === false
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
		properties: videoStatusFields,
	};

	methods = { credentialTest: { testVideoCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { workDurableStep } = await import('./durableSteps');
		const { checkVideos } = await import('./checkVideos');
		return (await workDurableStep(this)) ?? (await checkVideos(this));
	}
}
