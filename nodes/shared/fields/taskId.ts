import type { INodeProperties } from 'n8n-workflow';

export const taskIdField: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	default: '={{ $json.task_id }}',
	required: true,
	placeholder: 'e.g. task_abc123',
	description: 'The task_id that Video Generate gave',
};
