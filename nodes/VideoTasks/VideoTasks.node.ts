import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { ModelKind } from '../shared/fields/searchModels';
import { testVideoCredential } from '../shared/fields/testCredential';
import { videoTasksFields } from './fields';

// n8n loads this file at startup, so the working code is imported when the node first runs.
export class VideoTasks implements INodeType {
	description: INodeTypeDescription = {
		// Longer than Video Generate, which the nodes panel is to show first for "video".
		displayName: 'Video Tasks (List or Cancel)',
		name: 'videoTasks',
		icon: { light: 'file:../../icons/tasks.svg', dark: 'file:../../icons/tasks.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] === "cancel" ? "Cancel" : "Get Many" }}',
		description: 'List the tasks that your key has paid for lately, or cancel one',
		defaults: { name: 'Video Tasks' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'videoGenerationApi', required: true, testedBy: 'testVideoCredential' }],
		builderHint: {
			searchHint:
				'Get Many finds tasks whose task_id was lost, such as after a crash: each item has the task_id that Video Download takes. Services with such a list are Replicate, fal (with a model) and WaveSpeed; LiteLLM has none. Cancel works at fal, Replicate, Runway and Google. Neither is needed in a workflow that only makes videos.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-video-generation.videoDownload',
					relationHint: 'Gets the file of a listed task',
				},
			],
		},
		properties: videoTasksFields,
	};

	methods = {
		credentialTest: { testVideoCredential },
		listSearch: {
			async searchTaskModels(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			) {
				const { searchModels } = await import('../shared/fields/searchModels');
				const { isVideoModel } = await import('../shared/models/isVideoModel');
				const credential = 'videoGenerationApi';
				const kind: ModelKind = { credential, isOfKind: isVideoModel, documented: [] };
				return await searchModels(this, kind, filter, paginationToken);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { workOnTasks } = await import('./workOnTasks');
		return [await workOnTasks(this)];
	}
}
